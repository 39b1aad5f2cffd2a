// The live camera of the page "Take in": a frame every 300 ms goes to the station until all parts are there.
"use strict";

(function () {
  const PAUSE_MS = 300;
  const LONG_SIDE = 1600;
  const live = document.getElementById("live");
  if (!live || !("secure" in live.dataset)) return;
  const by = (name) => document.getElementById(`live-${name}`);
  const video = by("video");
  const form = by("form");
  const token = form.querySelector("[name=_csrf_token]").value;
  const parcels = new Map();
  let stream = null;

  function show() {
    const boxes = by("parts");
    boxes.replaceChildren();
    for (const parcel of parcels.values()) {
      const row = document.createElement("p");
      for (let number = 1; number <= parcel.count; number += 1) {
        const box = document.createElement("i");
        box.textContent = String(number);
        box.classList.toggle("has", parcel.texts.has(number));
        row.append(box);
      }
      boxes.append(row);
    }
  }

  function stop() {
    if (stream) stream.getTracks().forEach((track) => track.stop());
    stream = null;
    video.hidden = true;
    by("start").hidden = false;
    by("stop").hidden = true;
  }

  function take(parts) {
    for (const part of parts) {
      const parcel = parcels.get(part.parcel) || { count: part.count, texts: new Map() };
      parcels.set(part.parcel, parcel);
      parcel.texts.set(part.number, part.text);
      if (parcel.texts.size === parcel.count) {
        stop();
        by("part").value = [...parcel.texts.values()].join("\n");
        form.submit();
        return;
      }
    }
    if (parts.length) show();
  }

  function pictured() {
    const scale = Math.min(1, LONG_SIDE / Math.max(video.videoWidth, video.videoHeight));
    const canvas = document.createElement("canvas");
    canvas.width = Math.round(video.videoWidth * scale);
    canvas.height = Math.round(video.videoHeight * scale);
    canvas.getContext("2d").drawImage(video, 0, 0, canvas.width, canvas.height);
    return new Promise((done) => canvas.toBlob(done, "image/jpeg", 0.85));
  }

  async function look() {
    if (!stream) return;
    try {
      const body = new FormData();
      const picture = video.videoWidth ? await pictured() : null;
      if (picture) {
        body.append("file", picture, "frame.jpg");
        const headers = { "x-csrftoken": token };
        const answer = await fetch(live.dataset.frame, { method: "POST", body, headers });
        if (answer.ok && stream) take((await answer.json()).parts);
      }
    } catch {
      // The station may be away for a moment; the next frame tries again.
    }
    if (stream) setTimeout(look, PAUSE_MS);
  }

  async function start() {
    by("problem").hidden = true;
    try {
      stream = await navigator.mediaDevices.getUserMedia({
        audio: false,
        video: { facingMode: "environment", width: { ideal: 1920 }, height: { ideal: 1080 } },
      });
    } catch {
      by("problem").hidden = false;
      return;
    }
    video.srcObject = stream;
    video.hidden = false;
    by("start").hidden = true;
    by("stop").hidden = false;
    await video.play();
    look();
  }

  by("start").addEventListener("click", start);
  by("stop").addEventListener("click", stop);
  window.addEventListener("pagehide", stop);
})();
