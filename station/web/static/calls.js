"use strict";

// Calls of tables on every judge's page: their number in the title, a sound, a vibration, and a screen that stays on.
const REPEAT_MS = 60000;
const MOST_HEARD = 100;
const TONES = [[880, 0], [660, 0.25], [880, 0.5]];
const keeps = name => localStorage.getItem(`saloon-${name}`) !== "off";
const Audio = window.AudioContext;
let isLive = true;
let audio = null;
let wakeLock = null;

const waiting = () => (document.querySelector(".call-badge")?.dataset.calls || "").split(" ").filter(Boolean);

// Browsers play nothing before somebody has touched the page.
const unlock = () => {
  if (!Audio) return;
  audio ??= new Audio();
  audio.resume().then(() => { tellAbilities(); look(); }, () => {});
};
const canSound = () => audio?.state === "running";

const sound = () => TONES.forEach(([pitch, after]) => {
  const tone = audio.createOscillator(), volume = audio.createGain(), begin = audio.currentTime + after;
  tone.type = "triangle";
  tone.frequency.value = pitch;
  volume.gain.setValueAtTime(0.5, begin);
  volume.gain.exponentialRampToValueAtTime(0.01, begin + 0.22);
  tone.connect(volume).connect(audio.destination);
  tone.start(begin);
  tone.stop(begin + 0.23);
});
// Browsers refuse it, and log an error, on a page that nobody has touched yet.
const buzz = () => navigator.userActivation?.hasBeenActive !== false && navigator.vibrate?.([300, 100, 300]);

// Of several tabs, one plays: what was heard is known to all of them. A page that isn't live knows nothing new.
const felt = new Set();
let feltAt = 0;
const look = () => {
  const calls = waiting(), heard = (localStorage.getItem("saloon-heard") || "").split(" "), now = Date.now();
  const fresh = calls.filter(call => !heard.includes(call)), isSilent = !keeps("sound");
  document.title = (calls.length ? `(${calls.length}) ` : "") + document.title.replace(/^\(\d+\) /, "");
  if (!isLive || !calls.length) return;
  if (fresh.some(call => !felt.has(call)) || now - feltAt >= REPEAT_MS) {
    feltAt = now;
    buzz();
  }
  calls.forEach(call => felt.add(call));
  const isDue = fresh.length || now - Number(localStorage.getItem("saloon-rang")) >= REPEAT_MS;
  if (!isDue || !(isSilent || canSound())) return;
  localStorage.setItem("saloon-rang", now);
  localStorage.setItem("saloon-heard", [...heard, ...fresh].slice(-MOST_HEARD).join(" "));
  if (!isSilent) sound();
};

// On the page of calls: the screen stays on, and the page says what this device cannot do.
const stayAwake = async () => {
  const isWanted = document.getElementById("this-device") && keeps("awake") && !document.hidden;
  if (!isWanted) {
    await wakeLock?.release();
    wakeLock = null;
  } else if (!wakeLock || wakeLock.released) {
    wakeLock = await navigator.wakeLock?.request("screen").catch(() => null);
  }
};
const tellAbilities = () => {
  const isSecure = window.isSecureContext, canAwake = "wakeLock" in navigator;
  const cannot = {
    touch: Audio && keeps("sound") && !canSound(),
    sound: !Audio,
    vibrate: !("vibrate" in navigator),
    secure: !isSecure,
    awake: isSecure && !canAwake,
  };
  cannot.nothing = !Object.values(cannot).some(Boolean);
  document.querySelectorAll("[data-cannot]").forEach(line => { line.hidden = !cannot[line.dataset.cannot]; });
};

["pointerdown", "keydown"].forEach(touch => document.addEventListener(touch, unlock));
document.addEventListener("change", event => {
  const name = event.target.dataset?.keeps;
  if (!name) return;
  localStorage.setItem(`saloon-${name}`, event.target.checked ? "on" : "off");
  tellAbilities();
  stayAwake();
});
document.addEventListener("click", event => {
  if (!event.target.closest("[data-ring]")) return;
  buzz();
  audio?.resume().then(sound, () => {});
});
document.addEventListener("visibilitychange", stayAwake);
document.addEventListener("htmx:afterSettle", look);
document.addEventListener("htmx:sseOpen", () => { isLive = true; });
["htmx:sseError", "htmx:sseClose"].forEach(end => document.addEventListener(end, () => { isLive = false; }));
document.addEventListener("DOMContentLoaded", () => {
  document.querySelectorAll("[data-keeps]").forEach(box => { box.checked = keeps(box.dataset.keeps); });
  tellAbilities();
  stayAwake();
  look();
});
setInterval(look, 5000);
