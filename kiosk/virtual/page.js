"use strict";
const screen_ = document.getElementById("screen");
const touch = document.getElementById("touch");
const list = document.getElementById("targets");
const state = document.getElementById("state");
let size = [800, 480];
let down = null;

async function send(path, body) {
  const answer = await fetch(path, {
    method: "POST", headers: {"Content-Type": "application/json"}, body: JSON.stringify(body),
  });
  if (!answer.ok) state.textContent = (await answer.json()).error;
}

function place(event) {
  const box = screen_.getBoundingClientRect();
  return [
    Math.min(size[0] - 1, Math.max(0, Math.round((event.clientX - box.left) / box.width * size[0]))),
    Math.min(size[1] - 1, Math.max(0, Math.round((event.clientY - box.top) / box.height * size[1]))),
  ];
}

touch.addEventListener("pointerdown", event => {
  touch.setPointerCapture(event.pointerId);
  down = {at: performance.now(), place: place(event)};
});
touch.addEventListener("pointerup", () => {
  if (!down) return;
  const [x, y] = down.place;
  send("/touch", {x, y, hold_ms: Math.min(10000, Math.round(performance.now() - down.at))});
  down = null;
});
touch.addEventListener("pointercancel", () => { down = null; });

for (const button of document.querySelectorAll("[data-press]")) {
  let since = 0;
  button.addEventListener("pointerdown", () => { since = performance.now(); });
  button.addEventListener("click", () => {
    const held = since ? Math.min(10000, Math.round(performance.now() - since)) : 0;
    since = 0;
    send("/panel", {press: button.dataset.press, hold_ms: held});
  });
}
document.getElementById("key").addEventListener("click", event => {
  send("/panel", {key: event.currentTarget.getAttribute("aria-checked") !== "true"});
});

function showTargets(seen) {
  const focused = document.activeElement && document.activeElement.dataset.target;
  document.getElementById("scene").textContent = `Scene: ${seen.scene}`;
  list.replaceChildren(...seen.targets.map(target => {
    const item = document.createElement("li");
    const button = document.createElement("button");
    button.textContent = target.label + (target.hold_ms ? " (hold)" : "");
    button.dataset.target = target.id;
    button.title = target.id;
    button.disabled = target.enabled === false;
    button.addEventListener("click", () => send("/touch", {target: target.id}));
    item.append(button);
    return item;
  }));
  if (focused) list.querySelector(`[data-target="${CSS.escape(focused)}"]`)?.focus();
}

function showPanel(panel) {
  const [red, green, blue] = panel.lamp.map(on => on ? 255 : 30);
  const lamp = document.getElementById("lamp");
  const lit = panel.lamp.some(Boolean);
  lamp.style.background = lit ? `rgb(${red}, ${green}, ${blue})` : "";
  lamp.style.boxShadow = lit ? `0 0 22px rgb(${red}, ${green}, ${blue})` : "";
  lamp.setAttribute("aria-label", `Status lamp: ${panel.lamp_says}`);
  document.getElementById("buzzer").classList.toggle("on", panel.sounding);
  document.getElementById("key").setAttribute("aria-checked", String(panel.key_on));
}

async function refresh() {
  const [seen, panel] = await Promise.all([
    fetch("/screen.json").then(answer => answer.json()), fetch("/panel").then(answer => answer.json()),
  ]);
  size = seen.size;
  document.documentElement.lang = seen.language;
  showTargets(seen);
  showPanel(panel);
  const picture = await (await fetch("/screen.png")).blob();
  const former = screen_.src;
  screen_.src = URL.createObjectURL(picture);
  if (former.startsWith("blob:")) URL.revokeObjectURL(former);
}

async function follow() {
  let version = 0;
  for (;;) {
    try {
      version = (await (await fetch(`/changes?since=${version}`)).json()).version;
      await refresh();
      state.textContent = "Connected";
    } catch {
      state.textContent = "The terminal is away; looking again…";
      version = 0;
      await new Promise(done => setTimeout(done, 1000));
    }
  }
}
follow();
