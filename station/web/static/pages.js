"use strict";

// Ask for confirmation of what cannot be undone. A form with boxes that lose something asks if one of them is off.
document.addEventListener("submit", event => {
  const looks = event.submitter?.hasAttribute("formaction"), boxes = [...event.target.querySelectorAll("[data-loses]")];
  const isHarmless = boxes.length > 0 && boxes.every(box => box.checked);
  const question = looks || isHarmless ? "" : event.target.dataset.confirm;
  if (question && !window.confirm(question)) event.preventDefault();
});

// A menu of the header closes by Escape and by whatever happens elsewhere; without scripts, by its own button.
const openMenus = () => [...document.querySelectorAll(".drop[open]")];
["click", "focusin"].forEach(kind => document.addEventListener(kind, event => {
  openMenus().filter(menu => !menu.contains(event.target)).forEach(menu => { menu.open = false; });
}));
document.addEventListener("keydown", event => {
  if (event.key !== "Escape") return;
  openMenus().forEach(menu => { menu.open = false; menu.querySelector("summary").focus(); });
});
// Of tabs that need more than the width, the current one is in sight.
document.querySelectorAll(".tabs [aria-current]").forEach(tab => {
  tab.parentElement.scrollLeft = tab.offsetLeft - (tab.parentElement.clientWidth - tab.offsetWidth) / 2;
});

// Show in words whether the page is live; a lost connection must not look like a quiet hall.
const tellLive = isOn => document.querySelectorAll(".live").forEach(place => {
  place.classList.toggle("on", isOn);
  place.classList.toggle("off", !isOn);
  place.textContent = isOn ? place.dataset.on : place.dataset.off;
});
document.addEventListener("htmx:sseOpen", () => tellLive(true));

// With many tabs open, the station ends the oldest one's stream; it begins again when somebody looks at the page.
htmx.createEventSource = url => {
  const source = new EventSource(url, { withCredentials: true });
  source.addEventListener("rest", () => {
    source.close();
    document.body.dispatchEvent(new Event("htmx:sseClose", { bubbles: true }));
    const resume = () => {
      if (document.hidden || !source.onerror) return;
      document.removeEventListener("visibilitychange", resume);
      source.onerror(new Event("error"));
      source.onerror = null;
    };
    document.addEventListener("visibilitychange", resume);
    setTimeout(resume, 10000);
  });
  return source;
};
// The judge whose session ended elsewhere logs in and is back here; a message being written stays.
const tellLost = async () => {
  tellLive(false);
  const isReading = document.querySelector(".live") && ![...document.querySelectorAll("textarea")].some(one => one.value);
  const answer = isReading && await fetch("/judge/calls/badge", { redirect: "manual" }).catch(() => null);
  if (answer?.type === "opaqueredirect") location.reload();
};
document.addEventListener("htmx:sseError", tellLost);
document.addEventListener("htmx:sseClose", tellLost);

// The floor: find a player or a table. The chosen filter stays when the hall is rendered again, and the page loaded.
const FILTER = `floor-show ${location.pathname}`;
let toShow = sessionStorage.getItem(FILTER) || "all";
let isUnfolded = false;
let touchedAt = -Infinity;
const tableIn = slot => slot.querySelector("[data-place]");
const isDone = table => ["accepted", "walkover"].includes(table?.dataset.sheet);
// In scripts and not in styles: :has() on every table makes each change cost the whole hall.
const isShown = {
  all: () => true,
  open: table => !isDone(table),
  needs: table => !["plays", "coming", "on-paper", "done"].includes(table.dataset.needs),
  waits: table => ["proposed", "disputed"].includes(table.dataset.sheet),
  rings: table => table.matches(".rings"),
  gone: table => table.matches(".gone") || table.querySelector(".gone") !== null,
};
const tidyFloor = () => {
  const floor = document.querySelector(".floor");
  if (!floor) return;
  const choice = document.querySelector(`.filters [name=show][value=${toShow}]`);
  if (choice) choice.checked = true;
  const wanted = plain(document.querySelector("[data-find]")?.value || "").trim();
  const slots = [...floor.querySelectorAll(".slot")];
  const done = new Set(slots.filter(slot => isDone(tableIn(slot))));
  const isFolded = floor.classList.contains("live-floor") && !isUnfolded && wanted === "" && done.size < slots.length;
  document.querySelectorAll("[data-tables]").forEach(count => {
    const isOne = isShown[count.dataset.tables];
    count.textContent = slots.map(tableIn).filter(table => table && isOne(table)).length;
  });
  slots.forEach(slot => {
    const isFound = wanted === "" || plain(slot.textContent).includes(wanted);
    const table = tableIn(slot);
    slot.hidden = !isFound || (isFolded && done.has(slot)) || (table !== null && !isShown[toShow](table));
  });
  const fold = document.querySelector("[data-fold]");
  if (fold) {
    fold.hidden = done.size === 0 || done.size === slots.length;
    fold.querySelector("[data-done]").textContent = done.size;
    fold.querySelector("[data-unfold]").setAttribute("aria-expanded", String(isUnfolded));
  }
  document.querySelector("[data-nobody]").hidden = slots.some(slot => !slot.hidden) || isFolded && done.size > 0;
};
// A large hall changes many times a second, and tidying looks at every table.
let tidyDue = null;
const tidySoon = () => {
  tidyDue ??= setTimeout(() => { tidyDue = null; tidyFloor(); }, 200);
};
// Tables that need a judge come first; nothing moves while a finger or a mouse is about to press, nor by a call, which
// is at the foot.
const orderOf = slot => {
  const table = tableIn(slot);
  if (!table.matches(".rings")) slot.dataset.place = table.dataset.place;
  return slot.dataset.place ?? table.dataset.place;
};
const orderFloor = () => {
  const floor = document.querySelector(".floor");
  if (!floor || Date.now() - touchedAt < 1500 || floor.contains(document.activeElement)) return;
  const slots = [...floor.querySelectorAll(".slot")].filter(tableIn);
  const ordered = [...slots].sort((one, other) => orderOf(one) - orderOf(other));
  if (ordered.some((slot, index) => slot !== slots[index])) floor.append(...ordered);
};
["pointermove", "pointerdown", "keydown"].forEach(kind => document.addEventListener(kind, event => {
  if (event.target.closest?.(".floor")) touchedAt = Date.now();
}));
setInterval(orderFloor, 500);
document.addEventListener("click", event => {
  if (!event.target.closest("[data-unfold]")) return;
  isUnfolded = !isUnfolded;
  tidyFloor();
});
document.addEventListener("input", event => { if (event.target.matches("[data-find]")) tidyFloor(); });
document.addEventListener("change", event => {
  if (!event.target.matches(".filters [name=show]")) return;
  toShow = event.target.value;
  sessionStorage.setItem(FILTER, toShow);
  tidyFloor();
});
document.addEventListener("htmx:afterSettle", tidySoon);
document.addEventListener("htmx:sseMessage", tidySoon);
document.addEventListener("DOMContentLoaded", tidyFloor);

// A long table: show the rows with a word, sort by a column.
const TYPED = { "ł": "l", "ø": "o", "đ": "d", "ð": "d", "ħ": "h", "ı": "i", "æ": "ae", "œ": "oe", "þ": "th", "ß": "ss" };
const plain = text => text.replace(/['’‘‛`´ʼʹʻʽˈ′＇\u00ad\u200b-\u200f\u2067\u2069]/gu, "").normalize("NFKD").replace(/\p{M}/gu, "").replace(/\p{Pd}/gu, " ").toLocaleLowerCase().replace(/[łøđðħıæœþß]/gu, letter => TYPED[letter]);
const rowsOf = field => [...(document.querySelector(field.dataset?.findRow || "#none")?.tBodies[0].rows ?? [])];
const filterRows = field => {
  const wanted = plain(field.value ?? "").split(/[\s,]+/).filter(Boolean), rows = rowsOf(field);
  if (rows.length === 0) return;
  rows.forEach(row => { const text = plain(row.dataset.words ?? row.textContent); row.hidden = !wanted.every(word => text.includes(word)); });
  document.querySelector("[data-no-row]").hidden = rows.some(row => !row.hidden);
};
document.addEventListener("input", event => filterRows(event.target));
document.addEventListener("htmx:afterSettle", () => document.querySelectorAll("[data-find-row]").forEach(filterRows));
// At the desk: a name that only one player has, and Enter. The station finds a code that a scanner types.
document.addEventListener("keydown", event => {
  if (event.key !== "Enter" || !event.target.dataset?.findRow) return;
  const shown = rowsOf(event.target).filter(row => !row.hidden);
  const button = shown.length === 1 ? shown[0].querySelector("button.main[name=state]") : null;
  if (button || shown.length > 1) event.preventDefault();
  button?.click();
});
document.addEventListener("click", event => {
  const head = event.target.closest("[data-sortable] th:has(.sort)");
  if (!head) return;
  const body = head.closest("table").tBodies[0], column = head.cellIndex;
  const isDown = head.getAttribute("aria-sort") === "ascending";
  [...head.parentElement.cells].forEach(cell => cell.removeAttribute("aria-sort"));
  head.setAttribute("aria-sort", isDown ? "descending" : "ascending");
  const order = new Intl.Collator(document.documentElement.lang, { numeric: true });
  const text = row => row.cells[column].textContent.trim();
  // Empty fields stay at the end.
  const compare = (one, other) => !text(one) - !text(other) || (isDown ? -1 : 1) * order.compare(text(one), text(other));
  body.append(...[...body.rows].sort(compare));
});

// A message to tables, as its glass will show it.
document.addEventListener("input", event => {
  const form = event.target.closest("[data-message]");
  if (!form || event.target.name !== "text") return;
  const text = event.target.value.trim().replace(/\s+/g, " ");
  form.querySelector("[data-count]").textContent = [...text].length;
  form.querySelectorAll("[data-preview]").forEach(place => { place.textContent = text || event.target.placeholder; });
});
// Who names tables means those tables.
document.addEventListener("input", event => {
  if (event.target.name === "tables" && event.target.closest("[data-message]")) event.target.form.querySelector("[name=to][value=tables]").checked = true;
});

// Minutes left of a round with a time limit; of the last five, seconds too.
const tick = () => document.querySelectorAll("[data-ends]").forEach(place => {
  const seconds = Math.ceil((Date.parse(place.dataset.ends) - Date.now()) / 1000);
  const left = seconds > 300 ? Math.ceil(seconds / 60) : `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, "0")}`;
  place.textContent = seconds > 0 ? place.dataset.left.replace("{n}", left) : place.dataset.over;
});
document.addEventListener("DOMContentLoaded", tick);
document.addEventListener("htmx:afterSettle", tick);
setInterval(tick, 1000);

// The time since a terminal was last heard: it grows without the page being loaded again.
const grow = () => document.querySelectorAll("[data-age]").forEach(place => {
  place.dataset.at ??= Date.now() - 1000 * Number(place.dataset.age);
  const seconds = Math.max(0, (Date.now() - Number(place.dataset.at)) / 1000);
  const [unit, size] = seconds < 60 ? ["s", 1] : seconds < 3600 ? ["min", 60] : ["h", 3600];
  place.textContent = place.dataset[unit].replace("{n}", Math.floor(seconds / size));
});
document.addEventListener("DOMContentLoaded", grow);
setInterval(grow, 1000);

document.addEventListener("click", event => { if (event.target.closest("[data-print]")) window.print(); });

// Copy a text of the page. Without HTTPS, or where it is refused, pages have no clipboard, but browsers copy a selection.
document.addEventListener("click", async event => {
  const button = event.target.closest("[data-copy]");
  if (!button) return;
  const text = document.getElementById(button.dataset.copy);
  try { await navigator.clipboard.writeText(text.textContent); }
  catch { getSelection().selectAllChildren(text); document.execCommand("copy"); }
  button.textContent = button.dataset.copied;
});

// Restore the fields of a form that was refused or never arrived; passwords and files are not kept. A page that
// answers a form carries its fields, hidden.
const isPosted = document.body.dataset.posted !== undefined;
const isTyped = field => field.dataset.typed !== undefined || (isPosted && field.type === "hidden" && field.name !== "_csrf_token");
const isKept = field => field.name && (isTyped(field) || !["password", "file", "hidden", "submit"].includes(field.type));
const isTick = field => ["checkbox", "radio"].includes(field.type);
const sameField = field => isTick(field) ? `${field.name}=${field.value}` : field.name;
document.addEventListener("submit", event => {
  if (event.defaultPrevented || event.target.method !== "post") return;
  const typed = [...event.target.elements].filter(isKept).flatMap(field => [[sameField(field), isTick(field) ? field.checked : field.value], ...isTyped(field) ? [[`${field.name}=${field.value}`, true]] : []]);
  const actions = [event.target.getAttribute("action"), ...isPosted ? [location.pathname] : []];
  sessionStorage.setItem("typed", JSON.stringify({ actions, typed }));
});
document.addEventListener("DOMContentLoaded", () => {
  const { actions, typed } = JSON.parse(sessionStorage.getItem("typed") || "{}");
  sessionStorage.removeItem("typed");
  const isBack = performance.getEntriesByType("navigation")[0]?.type === "back_forward";
  const form = (isBack || document.querySelector("[data-refused]")) && [...document.forms].find(one => actions?.includes(one.getAttribute("action")));
  if (!form) return;
  const values = new Map(typed);
  [...form.elements].filter(isKept).filter(field => values.has(sameField(field))).forEach(field => {
    const value = values.get(sameField(field)), before = isTick(field) ? field.checked : field.value;
    field[isTick(field) ? "checked" : "value"] = value;
    if (value !== before) field.closest("details")?.setAttribute("open", "");
  });
});

// A judge's page that answers a form is not kept by browsers, which would ask on Back to send the form again:
// once it is left by a form or a link, Back loads its address instead.
const leavePosted = event => {
  const isLink = event.type === "submit" || event.target.closest("a[href]:not([download], [target])");
  const isLeft = isLink && !event.defaultPrevented && !event.ctrlKey && !event.metaKey && !event.shiftKey;
  if (isLeft && isPosted) history.replaceState(null, "", location.href);
};
document.addEventListener("submit", leavePosted);
document.addEventListener("click", leavePosted);

// The result of long work opens by itself, once. Where it's saved as a file, the page stays.
const openResult = () => {
  const link = document.querySelector("[data-open-result]");
  link?.removeAttribute("data-open-result");
  if (link) location.replace(link.href);
};
document.addEventListener("DOMContentLoaded", openResult);
document.addEventListener("htmx:afterSettle", openResult);

// The station's clock next to this browser's: the time that is sent to set the station's clock.
const compareClocks = () => document.querySelectorAll("[data-browser-clock]").forEach(form => {
  form.dataset.offset ??= Number(form.dataset.browserClock) - Date.now();
  const says = form.querySelector(".clock-says"), isSame = Math.abs(Number(form.dataset.offset)) < 60000;
  const time = new Date().toLocaleString(document.documentElement.lang);
  const east = -new Date().getTimezoneOffset(), minutes = Math.abs(east), two = part => String(part).padStart(2, "0");
  const isHere = form.dataset.zone === (east < 0 ? "-" : "+") + two(Math.floor(minutes / 60)) + two(minutes % 60);
  const text = !isSame ? says.dataset.other : isHere ? says.dataset.same : says.dataset.elsewhere;
  says.textContent = text.replace("{time}", time);
  says.classList.toggle("wrong-word", !isSame || !isHere);
  form.querySelector("button").classList.toggle("main", !isSame);
});
document.addEventListener("DOMContentLoaded", compareClocks);
setInterval(compareClocks, 1000);
document.addEventListener("submit", event => {
  const field = event.target.querySelector("[name=browser-ms]");
  if (field) field.value = Date.now();
});

// An answer that is saved as a file leaves the old page on the screen: reload it, as its content has changed.
document.addEventListener("submit", event => {
  const again = event.target.dataset.again;
  if (again) setTimeout(() => location.assign(again), 3000);
});

// A form that is sent while the station is away stays on the page and is sent once the station answers. Record
// sheets always ask first: a lost Wi-Fi looks like a quiet station.
let mayBeAway = false;
["htmx:sseError", "htmx:sseClose"].forEach(kind => document.addEventListener(kind, () => { mayBeAway = true; }));
document.addEventListener("htmx:sseOpen", () => { mayBeAway = false; });
const isThere = () => fetch("/health", { cache: "no-store", signal: AbortSignal.timeout(4000) }).then(() => true, () => false);
const sendWhenThere = async (form, button) => {
  while (!await isThere()) {
    if (!form.querySelector(".unsent")) {
      const words = document.createElement("p");
      words.className = "notice bad unsent";
      words.role = "alert";
      words.textContent = document.body.dataset.unsent;
      form.append(words);
    }
    await new Promise(resolve => setTimeout(resolve, 2000));
    if (!form.isConnected) return;
  }
  form.querySelector(".unsent")?.remove();
  delete form.dataset.waits;
  const pressed = document.createElement("input");
  Object.assign(pressed, { type: "hidden", name: button?.name ?? "", value: button?.value ?? "" });
  form.append(pressed);
  if (button?.hasAttribute("formaction")) form.action = button.formAction;
  HTMLFormElement.prototype.submit.call(form);
  pressed.remove();
};
document.addEventListener("submit", event => {
  const form = event.target;
  if (event.defaultPrevented || form.method !== "post" || !(mayBeAway || form.matches("[data-draft]"))) return;
  event.preventDefault();
  if (form.dataset.waits) return;
  form.dataset.waits = "yes";
  sendWhenThere(form, event.submitter);
});

// A large upload shows how much of it is sent and can be cancelled; the station answers with another page's address.
document.addEventListener("submit", event => {
  const form = event.target, bar = form.querySelector("[data-upload]");
  const size = [...form.elements].flatMap(field => [...field.files ?? []]).reduce((sum, file) => sum + file.size, 0);
  if (!bar || event.defaultPrevented || size < 1e6) return;
  event.preventDefault();
  const request = new XMLHttpRequest(), begun = Date.now(), show = isSending => {
    bar.hidden = !isSending;
    [...form.querySelectorAll("button:not([type=button])")].forEach(button => { button.disabled = isSending; });
  };
  request.upload.onprogress = ({ loaded, total }) => {
    const seconds = Math.ceil((Date.now() - begun) / 1000 * (total - loaded) / loaded);
    bar.querySelector("progress").value = loaded / total;
    bar.querySelector("span").textContent = loaded < total ? bar.dataset.upload.replace("{n}", seconds) : bar.dataset.checks;
  };
  request.onload = () => {
    if (request.status < 400) location.assign(request.responseURL);
    else document.replaceChild(new DOMParser().parseFromString(request.responseText, "text/html").documentElement, document.documentElement);
  };
  request.onerror = () => { show(false); if (!form.querySelector(".unsent")) form.insertAdjacentHTML("beforeend", '<p class="notice bad unsent" role="alert"></p>'); form.querySelector(".unsent").textContent = bar.dataset.failed; };
  request.onabort = () => show(false);
  bar.querySelector("button").onclick = () => request.abort();
  request.open("POST", form.action);
  request.setRequestHeader("Accept", "text/html");
  // The page that follows shows the notice, not this answer.
  request.setRequestHeader("HX-Request", "true");
  request.send(new FormData(form, event.submitter));
  show(true);
});

// What is typed on a record sheet stays in this browser until the table's sheet is accepted.
document.addEventListener("DOMContentLoaded", () => {
  const sent = document.querySelector("[data-sent]");
  if (sent) localStorage.removeItem(`draft ${sent.dataset.sent}`);
});
