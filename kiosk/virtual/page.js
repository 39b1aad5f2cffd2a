import {followKeyboard, keysInWords} from "./keyboard.js";

const at = id => document.getElementById(id);
const glass = at("glass"), picture = at("picture"), stage = at("stage");
const paper = picture.getContext("2d", {alpha: false});
const AGAIN_MS = 1000, TAP_MS = 60;
const REPORT_MS = 100, WITHIN_MS = 2000;  // a finger that lies is reported so often; unreported for so long it is lost
const TOLD_MS = 200;
const SILENCE_MS = 4000;  // the terminal is heard every second
const BESIDE = "(min-width: 56.01rem)";  // wide enough for the deck beside a tall screen
const seen = {size: [800, 480], targets: [], says: [], scene: "", panel: null, words: {}, language: ""};
let quarter = 0, turn = 0;  // quarters by hand, and all by which the picture is turned

const say = (name, fields = {}) =>
  (seen.words[name] ?? "").replace(/\{(\w+)\}/g, (_, field) => fields[field] ?? "");

async function ask(path, body) {
  const asked = body === undefined ? {} : {
    method: "POST", headers: {"Content-Type": "application/json"}, body: JSON.stringify(body),
  };
  const answer = await fetch(path, asked);
  if (!answer.ok) throw Object.assign(new Error((await answer.json()).error), {status: answer.status});
  return answer;
}
const send = (path, body) => ask(path, body).catch(error => { if (error.status) at("state").textContent = error.message; });

// Fingers: moments wait in line and travel together, so that their order is the order of the hand.
const line = [];
let travelling = false;

async function travel() {
  if (travelling) return;
  travelling = true;
  while (line.length) await send("fingers", {moments: line.splice(0, 64), within_ms: WITHIN_MS});
  travelling = false;
}

const resting = new Map();  // number of a finger on the glass -> where it lies

function finger(number, phase, [x, y]) {
  const last = line.at(-1);
  if (phase === "move" && last?.finger === number && last.phase === "move") line.pop();
  if (phase === "down" || phase === "move") resting.set(number, [x, y]);
  else resting.delete(number);
  line.push({finger: number, phase, x, y});
  travel();
}
// A hold counts as far as it was reported: nothing is held by a page that has died.
setInterval(() => { for (const [number, at] of resting) finger(number, "move", at); }, REPORT_MS);

const lying = new Map();  // pointer of the browser -> number of the finger

function freeNumber() {
  const taken = new Set(lying.values());
  for (let number = 0; number < 9; number++) if (!taken.has(number)) return number;
  return null;  // 9 is the keyboard's
}

function place(event) {
  const box = stage.getBoundingClientRect(), [width, height] = seen.size;
  const dx = event.clientX - box.left - box.width / 2, dy = event.clientY - box.top - box.height / 2;
  const [right, down] = [[dx, dy], [dy, -dx], [-dx, -dy], [-dy, dx]][turn];
  const scale = glass.offsetWidth / width;
  return [clamp(right / scale + width / 2, width), clamp(down / scale + height / 2, height)];
}
const clamp = (value, length) => Math.min(length - 1, Math.max(0, Math.floor(value)));

function showSpot(event, number) {
  let spot = at(`spot-${number}`);
  if (!event) return spot?.remove();
  if (!spot) {
    spot = Object.assign(document.createElement("span"), {id: `spot-${number}`, className: "spot"});
    stage.append(spot);
  }
  const box = stage.getBoundingClientRect();
  spot.style.left = `${event.clientX - box.left}px`;
  spot.style.top = `${event.clientY - box.top}px`;
}

glass.addEventListener("pointerdown", event => {
  const number = freeNumber();
  if (event.button || number === null) return;
  event.preventDefault();
  glass.setPointerCapture(event.pointerId);
  lying.set(event.pointerId, number);
  if (event.pointerType !== "mouse") showSpot(event, number);
  finger(number, "down", place(event));
});
glass.addEventListener("pointermove", event => {
  if (!lying.has(event.pointerId)) return;
  const number = lying.get(event.pointerId);
  if (event.pointerType !== "mouse") showSpot(event, number);
  finger(number, "move", place(event));
});
for (const [kind, phase] of [["pointerup", "up"], ["pointercancel", "lost"]]) {
  glass.addEventListener(kind, event => {
    if (!lying.has(event.pointerId)) return;
    const number = lying.get(event.pointerId);
    lying.delete(event.pointerId);
    showSpot(null, number);
    finger(number, phase, place(event));
  });
}
glass.addEventListener("contextmenu", event => event.preventDefault());

// Touch targets: a button of the page lies on each, for keyboards and screen readers.
function showTargets() {
  const box = at("targets"), [width, height] = seen.size;
  const there = new Map([...box.children].map(button => [button.dataset.target, button]));
  seen.targets.forEach((target, number) => {
    const button = there.get(target.id) ?? made(target.id);
    there.delete(target.id);
    const [x, y, w, h] = target.rect;
    button.style.cssText =
      `left:${100 * x / width}%;top:${100 * y / height}%;width:${100 * w / width}%;height:${100 * h / height}%`;
    const label = target.hold_ms ? say("hold", {target: target.label}) : target.label;
    if (button.textContent !== label) button.textContent = label;
    button.setAttribute("aria-disabled", String(target.enabled === false));
    if (box.children[number] !== button) box.insertBefore(button, box.children[number] ?? null);
  });
  const focusLost = [...there.values()].includes(document.activeElement);
  for (const gone of there.values()) gone.remove();
  if (focusLost) (box.querySelector("[aria-disabled=false]") ?? at("screen")).focus({preventScroll: true});
}

function made(id) {
  const button = document.createElement("button");
  button.type = "button";
  button.dataset.target = id;
  // A click with no pointer and no key behind it: a screen reader, or a script.
  button.addEventListener("click", () => {
    if (!isOff(button)) touching = touching.then(() => send("touch", {target: id}));
  });
  return button;
}
let touching = Promise.resolve();  // one after the other, each answered when it is over
const isOff = button => button.getAttribute("aria-disabled") === "true";

// What a screen reader is told: a new scene whole, within a scene only what is new; what follows at once, together.
const fresh = [];
function tell(before) {
  if (seen.scene !== before.scene) fresh.length = 0;
  const isNew = text => seen.scene !== before.scene || !before.says.includes(text);
  if (!fresh.length) setTimeout(() => {
    const words = fresh.splice(0).filter(text => seen.says.includes(text));
    if (words.length) at("told").textContent = words.slice(0, 12).join(". ").slice(0, 400);
  }, TOLD_MS);
  fresh.push(...seen.says.filter(text => /\p{L}/u.test(text) && isNew(text) && !fresh.includes(text)));
}

// Panel.
for (const button of document.querySelectorAll("[data-press]")) {
  const press = button.dataset.press;
  if (button.dataset.hold) {
    let since = null;
    const lift = () => {
      if (since !== null) send("panel", {press, hold_ms: Math.min(10000, Math.round(performance.now() - since))});
      since = null;
    };
    button.addEventListener("pointerdown", () => { since = performance.now(); });
    for (const kind of ["pointerup", "pointerleave", "pointercancel"]) button.addEventListener(kind, lift);
    button.addEventListener("click", event => {
      if (!event.detail) send("panel", {press, hold_ms: Number(button.dataset.hold)});
    });
    continue;
  }
  button.addEventListener("pointerdown", event => { if (!event.button) pressed(button); });
  button.addEventListener("click", event => { if (!event.detail) pressed(button); });
}
function pressed(button) {
  button.classList.add("down");
  setTimeout(() => button.classList.remove("down"), 120);
  send("panel", {press: button.dataset.press, hold_ms: TAP_MS});
}
at("key").addEventListener("click", () => {
  send("panel", {key: at("key").getAttribute("aria-checked") !== "true"});
});

function showPanel(panel) {
  seen.panel = panel;
  const lamp = at("lamp"), light = panel.lamp.map(on => on ? 255 : 40), lit = panel.lamp.some(Boolean);
  lamp.style.setProperty("--lit", lit ? `rgb(${light})` : "");
  lamp.style.setProperty("--glow", lit ? `rgb(${light})` : "");
  lamp.setAttribute("aria-label", say(`lamp-${panel.lamp_says}`));
  at("buzzer").classList.toggle("on", panel.sounding);
  at("buzzer").setAttribute("aria-label", say(panel.sounding ? "sounding" : "buzzer"));
  at("key").setAttribute("aria-checked", String(panel.key_on));
  at("key").setAttribute("aria-label", say("key"));
  for (const button of document.querySelectorAll("[data-press]")) {
    const name = button.dataset.press, lights = panel.lit?.includes(name) ?? false;
    button.classList.toggle("lit", lights);
    button.setAttribute("aria-label", lights ? say("lit", {button: say(name)}) : say(name));
    if (panel.parts?.length) button.closest(".part").hidden = !panel.parts.includes(`button ${name}`);
  }
  const hasNone = !panel.parts?.some(part => /^(button|lamp|buzzer|key)/.test(part)), before = isBare();
  if (document.body.classList.toggle("bare", hasNone) !== before) fit();
  const broken = say("broken", {parts: panel.broken.join(", ")});
  at("faults").hidden = !panel.broken.length;
  if (panel.broken.length && at("faults").textContent !== broken) at("faults").textContent = broken;
  hum(panel.sounding);
}

// Sound: muted at first; browsers allow it only after a hand has asked for it.
let sound = null;
at("sound").addEventListener("click", () => {
  const on = at("sound").getAttribute("aria-pressed") !== "true";
  at("sound").setAttribute("aria-pressed", String(on));
  if (on && !sound) {
    const context = new AudioContext(), gain = context.createGain(), tone = context.createOscillator();
    tone.type = "square";
    tone.frequency.value = 880;
    gain.gain.value = 0;
    tone.connect(gain).connect(context.destination);
    tone.start();
    sound = {context, gain};
  }
  hum(seen.panel?.sounding ?? false);
});
function hum(sounding) {
  if (!sound) return;
  const heard = sounding && at("sound").getAttribute("aria-pressed") === "true";
  sound.gain.gain.setTargetAtTime(heard ? 0.04 : 0, sound.context.currentTime, 0.004);
}

// A phone that was turned: its picture stays as it lies on the table, and so fills the screen.
const isBare = () => document.body.classList.contains("bare");
const orientation = () => screen.orientation?.angle ?? 0;
let upright = null;  // the phone's orientation while its picture is not turned
function turnedWithThePhone() {
  const [width, height] = seen.size;
  if (!isBare()) return 0;
  const {clientWidth, clientHeight} = document.documentElement;
  if (width > height === clientWidth > clientHeight) {
    upright = orientation();
    return 0;
  }
  const quarters = ((upright ?? orientation()) - orientation() + 360) / 90 % 4;
  return quarters % 2 ? quarters : 1;
}

// The glass fits the page, from whichever side of the table it is looked at.
function fit() {
  turn = (quarter + turnedWithThePhone()) % 4;
  const [width, height] = seen.size;
  const [across, along] = turn % 2 ? [height, width] : [width, height];
  const tall = along > across && matchMedia(BESIDE).matches;
  document.querySelector(".housing").classList.toggle("tall", tall);
  const frame = 2 * parseFloat(getComputedStyle(at("screen")).paddingLeft);
  const room = tall ? innerWidth / 2 : at("screen").clientWidth - frame;
  const {clientHeight} = document.documentElement, below = clientHeight - stage.getBoundingClientRect().top - scrollY;
  // Without room for both, the panel is below the page's end rather than seats.
  const left = isBare() ? below : Math.max(clientHeight - (tall ? 200 : 330), Math.min(320, below - frame));
  const scale = Math.min(room / across, left / along, 2);
  stage.style.width = `${across * scale}px`;
  stage.style.height = `${along * scale}px`;
  glass.style.width = `${width * scale}px`;
  glass.style.height = `${height * scale}px`;
  glass.style.transform = `translate(-50%, -50%) rotate(${90 * turn}deg)`;
}
at("turn").addEventListener("click", () => { quarter = (quarter + (isBare() ? 2 : 1)) % 4; fit(); });
addEventListener("resize", fit);

at("keys").addEventListener("click", () => {
  at("help").hidden = !at("help").hidden;
  at("keys").setAttribute("aria-expanded", String(!at("help").hidden));
});

async function speak(language) {
  if (language === seen.language) return;
  seen.words = await (await ask("words")).json();
  seen.language = document.documentElement.lang = language;
  for (const element of document.querySelectorAll("[data-word]")) element.textContent = say(element.dataset.word);
  for (const element of document.querySelectorAll("[data-label]")) {
    element.setAttribute("aria-label", say(element.dataset.label));
  }
  document.title = `${say("title")} · Saloon`;
  at("help-keys").replaceChildren(...keysInWords(say));
}

// A frame: a description behind its length, then the PNG files of the changed parts.
async function show(frame) {
  const length = frame.getUint32(0), head = new Uint8Array(frame.buffer, frame.byteOffset + 4, length);
  const told = JSON.parse(new TextDecoder().decode(head));
  let from = frame.byteOffset + 4 + length;
  const parts = await Promise.all(told.parts.map(([x, y, , , size]) => {
    const file = new Blob([new Uint8Array(frame.buffer, from, size)], {type: "image/png"});
    from += size;
    return createImageBitmap(file).then(part => ({x, y, part}));
  }));
  const before = {scene: seen.scene, says: seen.says};
  await speak(told.language);
  const [width, height] = told.size, resized = picture.width !== width || picture.height !== height;
  if (resized) Object.assign(picture, {width, height});
  for (const {x, y, part} of parts) {
    paper.drawImage(part, x, y);
    part.close();
  }
  Object.assign(seen, {size: told.size, targets: told.targets, says: told.says, scene: told.scene});
  document.body.dataset.scene = told.scene;
  showTargets();
  showPanel(told.panel);
  if (resized) fit();
  tell(before);
}

// The terminal's frames, one behind the other; rejected when it is silent, gone, or this page may not see it.
async function frames(take) {
  const ending = new AbortController();
  let silence;
  const heard = () => {
    clearTimeout(silence);
    silence = setTimeout(() => ending.abort(), SILENCE_MS);
  };
  heard();
  try {
    const answer = await fetch("stream", {signal: ending.signal, cache: "no-store"});
    if (!answer.ok) throw Object.assign(new Error(), {status: answer.status});
    const reader = answer.body.getReader();
    let held = new Uint8Array();
    for (;;) {
      const {value, done} = await reader.read();
      if (done) throw new Error();
      heard();
      const joined = new Uint8Array(held.length + value.length);
      joined.set(held);
      joined.set(value, held.length);
      held = joined;
      while (held.length >= 4) {
        const size = new DataView(held.buffer, held.byteOffset).getUint32(0);
        if (held.length < 4 + size) break;
        if (size) await take(new DataView(held.buffer, held.byteOffset + 4, size));
        else await take(null);
        held = held.subarray(4 + size);
      }
    }
  } finally {
    clearTimeout(silence);
    ending.abort();
  }
}

function showConnected(on) {
  document.body.classList.toggle("lost", !on);
  if (on && at("state").dataset.on !== "yes") at("state").textContent = say("connected");
  if (!on) at("state").textContent = say("away") || "…";
  at("state").dataset.on = on ? "yes" : "no";
}

async function follow() {
  at("state").textContent = "…";
  for (;;) {
    try {
      await frames(async frame => {
        if (frame) await show(frame);
        showConnected(true);
      });
    } catch (error) {
      // The station says on a page of its own why there is no terminal any more.
      if (error.status === 410 || error.status === 403) return location.reload();
      resting.clear();
      line.length = 0;
      showConnected(false);
      await new Promise(done => setTimeout(done, AGAIN_MS));
    }
  }
}

// The whole screen of a tablet, and one that stays awake, where the browser has them.
at("whole").hidden = !document.fullscreenEnabled;
at("whole").addEventListener("click", () => {
  if (document.fullscreenElement) document.exitFullscreen();
  else document.documentElement.requestFullscreen().catch(() => {});
});
const wake = () => { if (document.visibilityState === "visible") navigator.wakeLock?.request("screen").catch(() => {}); };
addEventListener("visibilitychange", wake);
wake();

followKeyboard({
  targets: () => seen.targets,
  lay: (phase, [x, y, w, h]) => finger(9, phase, [x + (w >> 1), y + (h >> 1)]),
  press: name => { const button = document.querySelector(`[data-press="${name}"]`); if (button) pressed(button); },
  click: id => at(id).click(),
});
fit();
follow();
