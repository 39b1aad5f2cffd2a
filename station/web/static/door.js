// Check-in at the door: each name or code is sent at once; while the station is away, this browser keeps it.
"use strict";

(function () {
  const MOST = 500, SAME_CODE_MS = 3000, LOOK_MS = 150, ANSWER_MS = 8000;
  const form = document.querySelector("[data-door]"), field = document.getElementById("door-typed");
  const by = name => document.getElementById(`door-${name}`);
  const answer = by("answer"), KEY = form.dataset.door, token = form.elements._csrf_token.value;

  // Other tabs may show the same page: what is kept is read again before each change. An entry sent twice changes nothing.
  let inMemory = '{"waiting": [], "refused": []}';
  const kept = () => {
    try { return JSON.parse(localStorage.getItem(KEY) ?? inMemory); } catch { return JSON.parse(inMemory); }
  };
  function change(edit) {
    const all = kept();
    edit(all);
    inMemory = JSON.stringify(all);
    try { localStorage.setItem(KEY, inMemory); } catch { /* Without a store, the page itself remembers. */ }
    show();
  }

  function show() {
    const { waiting, refused } = kept(), late = waiting.filter(entry => entry.again).length;
    by("unsent").hidden = late === 0;
    by("unsent").textContent = by("unsent").dataset.text.replace("{n}", late);
    by("waiting").replaceChildren(...waiting.filter(entry => entry.again).map(waitingLine));
    by("refused").hidden = refused.length === 0;
    by("refused").querySelector("ul").replaceChildren(...refused.map(text => Object.assign(document.createElement("li"), { textContent: text })));
  }

  function waitingLine(entry) {
    const line = document.createElement("li"), button = document.createElement("button"), spoken = document.createElement("span");
    Object.assign(spoken, { className: "spoken", textContent: ` ${entry.label}` });
    button.append(by("waiting").dataset.undo, spoken);
    button.addEventListener("click", () => change(all => { all.waiting = all.waiting.filter(one => one.id !== entry.id); }));
    line.append(Object.assign(document.createElement("strong"), { textContent: entry.label }), button);
    return line;
  }

  // Two short tones for a player who is in, a long low one for what needs a look.
  let audio = null;
  const isLoud = () => by("sound").getAttribute("aria-pressed") === "true";
  function sound(mood) {
    if (!isLoud() || !window.AudioContext) return;
    audio ??= new AudioContext();
    audio.resume();
    const tones = mood === "good" ? [[660, 0, 0.09], [990, 0.1, 0.12]] : [[196, 0, 0.4]];
    for (const [pitch, from, length] of tones) {
      const tone = audio.createOscillator(), volume = audio.createGain(), start = audio.currentTime + from;
      tone.type = mood === "good" ? "sine" : "square";
      tone.frequency.value = pitch;
      volume.gain.value = 0.15;
      tone.connect(volume).connect(audio.destination);
      tone.start(start);
      tone.stop(start + length);
    }
  }

  function say(mood, text) {
    const box = document.createElement("div"), line = document.createElement("p");
    box.className = `door-last ${mood}`;
    line.className = "door-name";
    line.textContent = text;
    box.append(line);
    answer.replaceChildren(box);
  }

  // The station's answer as HTML; null while it is away, false if this page has to be loaded again.
  async function send(entry) {
    const body = new URLSearchParams(entry.body);
    body.set("_csrf_token", token);
    if (entry.again) body.set("again", "yes");
    try {
      const options = { method: "POST", body, redirect: "manual", headers: { "hx-request": "true" }, signal: AbortSignal.timeout(ANSWER_MS) };
      const response = await fetch(form.action, options);
      const text = await response.text();
      // A page for logging in is no answer.
      if (text.includes("data-mood")) return text;
      return response.status >= 500 || response.status === 429 ? null : false;
    } catch { return null; }
  }

  function showAnswer(html, entry) {
    const part = document.createElement("template");
    part.innerHTML = html;
    by("recent").replaceWith(part.content.getElementById("door-recent"));
    answer.replaceChildren(part.content);
    const { mood, count } = answer.querySelector("[data-mood]").dataset;
    by("count").querySelector("b").textContent = count;
    const text = answer.querySelector(".door-name").textContent.trim();
    change(all => {
      all.waiting = all.waiting.filter(one => one.id !== entry.id);
      // The answer would be gone before anybody has read it.
      if (mood !== "good" && (entry.again || all.waiting.length > 0)) all.refused.push(text);
    });
    sound(mood);
  }

  let isSending = false;
  async function sendAll() {
    if (isSending) return;
    isSending = true;
    for (let entry = kept().waiting[0]; entry; entry = kept().waiting[0]) {
      const html = await send(entry);
      if (html) { showAnswer(html, entry); continue; }
      // A form may have arrived although its answer was lost.
      change(all => all.waiting.forEach(one => { one.again = true; }));
      if (html === false) say("bad", answer.dataset.stopped);
      else if (kept().waiting.length > 0) say("wait", answer.dataset.saved.replace("{name}", kept().waiting.at(-1).label));
      if (html === false) break;
      do { await new Promise(resolve => setTimeout(resolve, 2000)); } while (!await isThere());
    }
    isSending = false;
  }

  function take(body, label) {
    if (kept().waiting.length >= MOST) { say("bad", answer.dataset.full); sound("bad"); return; }
    const isAway = kept().waiting.some(entry => entry.again);
    change(all => all.waiting.push({ id: `${Date.now()} ${Math.random()}`, body: String(body), label, again: isAway }));
    if (isAway) { say("wait", answer.dataset.saved.replace("{name}", label)); sound("good"); }
    sendAll();
  }

  // In the capture phase: pages.js must not send these forms too.
  document.addEventListener("submit", event => {
    if (event.target !== form && !event.target.matches("[data-door-button]")) return;
    event.preventDefault();
    event.stopPropagation();
    const body = new URLSearchParams(new FormData(event.target, event.submitter));
    body.delete("_csrf_token");
    const label = event.target === form ? field.value.trim() : event.submitter.textContent.trim();
    field.value = "";
    field.focus();
    if (label) take(body, label);
  }, true);
  by("refused").querySelector("button").addEventListener("click", () => change(all => { all.refused = []; }));

  const loud = by("sound"), SOUND = "door sound";
  loud.hidden = false;
  try { if (localStorage.getItem(SOUND) === "off") loud.setAttribute("aria-pressed", "false"); } catch { /* It stays on. */ }
  loud.addEventListener("click", () => {
    loud.setAttribute("aria-pressed", String(!isLoud()));
    try { localStorage.setItem(SOUND, isLoud() ? "on" : "off"); } catch { /* It stays as chosen on this page. */ }
    sound("good");
  });

  // A browser that reads no codes itself, as on iPhones and Linux, sends a few pictures a second to the station.
  const LONG_SIDE = 960, SEND_MS = 400;
  async function readAtStation() {
    const scale = Math.min(1, LONG_SIDE / Math.max(video.videoWidth, video.videoHeight)), canvas = document.createElement("canvas");
    canvas.width = Math.round(video.videoWidth * scale);
    canvas.height = Math.round(video.videoHeight * scale);
    canvas.getContext("2d").drawImage(video, 0, 0, canvas.width, canvas.height);
    const picture = await new Promise(done => canvas.toBlob(done, "image/jpeg", 0.8)), body = new FormData();
    if (!picture) return [];
    body.append("file", picture, "frame.jpg");
    const options = { method: "POST", body, redirect: "manual", headers: { "x-csrftoken": token }, signal: AbortSignal.timeout(ANSWER_MS) };
    const response = await fetch(camera.dataset.frame, options).catch(() => null);
    by("blind").hidden = Boolean(response?.ok);
    return response?.ok ? (await response.json()).codes.map(rawValue => ({ rawValue })) : [];
  }
  const byStation = { detect: readAtStation, pause: SEND_MS };
  async function findReader() {
    try {
      if ((await BarcodeDetector.getSupportedFormats()).includes("qr_code")) return new BarcodeDetector({ formats: ["qr_code"] });
    } catch { /* There is none. */ }
    return byStation;
  }

  // The camera, where the page is secure.
  const camera = by("camera"), video = by("video"), scan = camera.querySelector("span").textContent;
  let stream = null, lastCode = "", lastAt = 0;
  function stop() {
    stream?.getTracks().forEach(track => track.stop());
    stream = null;
    video.hidden = by("blind").hidden = true;
    camera.querySelector("span").textContent = scan;
  }
  async function look(detector) {
    if (!stream) return;
    const [code] = await detector.detect(video).catch(() => []);
    if (code && (code.rawValue !== lastCode || Date.now() - lastAt > SAME_CODE_MS)) take(new URLSearchParams({ typed: code.rawValue }), code.rawValue);
    if (code) [lastCode, lastAt] = [code.rawValue, Date.now()];
    setTimeout(look, detector.pause ?? LOOK_MS, detector);
  }
  async function start() {
    by("problem").hidden = true;
    try {
      stream = await navigator.mediaDevices.getUserMedia({ audio: false, video: { facingMode: "environment" } });
    } catch {
      by("problem").hidden = false;
      return;
    }
    video.srcObject = stream;
    video.hidden = false;
    camera.querySelector("span").textContent = camera.dataset.stop;
    await video.play();
    look(await findReader());
  }
  if (isSecureContext && navigator.mediaDevices) {
    camera.hidden = false;
    by("hint").hidden = true;
    camera.addEventListener("click", () => stream ? stop() : start());
    window.addEventListener("pagehide", stop);
  }

  show();
  sendAll();
})();
