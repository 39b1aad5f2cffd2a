// The keyboard as a hand: arrows go over the glass, Enter and space lie on a target as long as they are down.

const PRESSES = {r: "reshuffle", e: "end-turn", j: "call-judge"};
const CLICKS = {k: "key", s: "sound", t: "turn"};
const ARROWS = {ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1]};
const SHOWN = [["Tab", "keys-tab"], ["← ↑ → ↓", "keys-arrows"], ["Enter", "keys-enter"], ["R", "keys-r"],
  ["E", "keys-e"], ["J", "keys-j"], ["K", "keys-k"], ["S", "keys-s"], ["T", "keys-t"]];

/** The keys and what they do, as a list of terms. say: a sentence by its name. */
export function keysInWords(say) {
  return SHOWN.flatMap(([key, name]) => {
    const term = document.createElement("dt"), means = document.createElement("dd");
    term.append(Object.assign(document.createElement("kbd"), {textContent: key}));
    means.textContent = say(name);
    return [term, means];
  });
}

/**
 * Follow the keyboard of this page. hand.targets: those on the glass; hand.lay: a phase of the finger on a
 * rectangle; hand.press: a button of the panel; hand.click: a button of the page.
 */
export function followKeyboard(hand) {
  const box = document.getElementById("targets");
  let held = null;

  const focused = () => document.activeElement?.closest?.("[data-target]");
  const targetOf = button => hand.targets().find(target => target.id === button.dataset.target);
  const middle = ([x, y, w, h]) => [x + w / 2, y + h / 2];

  function lift(phase) {
    if (!held) return;
    hand.lay(phase, held.rect);
    held = null;
  }

  function go([dx, dy]) {
    const from = focused() && targetOf(focused());
    const [x, y] = from ? middle(from.rect) : [0, 0];
    let best = null, nearest = Infinity;
    for (const target of hand.targets()) {
      if (target.id === from?.id) continue;
      const [tx, ty] = middle(target.rect), along = (tx - x) * dx + (ty - y) * dy;
      const aside = Math.abs((tx - x) * dy) + Math.abs((ty - y) * dx);
      if (along <= 0 || along + 2 * aside >= nearest) continue;
      [best, nearest] = [target, along + 2 * aside];
    }
    if (best) box.querySelector(`[data-target="${CSS.escape(best.id)}"]`)?.focus({preventScroll: true});
  }

  addEventListener("keydown", event => {
    if (event.ctrlKey || event.altKey || event.metaKey) return;
    const button = focused();
    if (button && (event.key === "Enter" || event.key === " ")) {
      event.preventDefault();
      const target = targetOf(button);
      if (event.repeat || held || !target || target.enabled === false) return;
      held = target;
      hand.lay("down", target.rect);
    } else if (ARROWS[event.key] && (button || document.activeElement === document.body)) {
      event.preventDefault();
      go(ARROWS[event.key]);
    } else if (!event.repeat && PRESSES[event.key.toLowerCase()]) {
      hand.press(PRESSES[event.key.toLowerCase()]);
    } else if (!event.repeat && CLICKS[event.key.toLowerCase()]) {
      hand.click(CLICKS[event.key.toLowerCase()]);
    }
  });
  addEventListener("keyup", event => {
    if (event.key !== "Enter" && event.key !== " ") return;
    if (focused()) event.preventDefault();
    lift("up");
  });
  addEventListener("blur", () => lift("lost"));
  box.addEventListener("focusout", () => lift("lost"));
}
