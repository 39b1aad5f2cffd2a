"use strict";

// The size of this device's page, for a picture that fills it.
(() => {
  const form = document.querySelector("form[action^='/device/']");
  form.addEventListener("submit", () => {
    // The page's buttons take a line at the short side.
    const [across, along] = innerWidth > innerHeight ? [44, 0] : [0, 44];
    form.elements.width.value = Math.round(innerWidth - across);
    form.elements.height.value = Math.round(innerHeight - along);
    form.elements.percent.value = Math.round((devicePixelRatio || 1) * 100);
  });
})();
