declare global {
  interface Window {
    /** Buttons pressed while the page had no scripts yet. */
    earlyClicks?: Set<HTMLButtonElement>;
  }
}

/**
 * Stands in the page's head: remembers presses of buttons that only scripts can serve, from the moment the page is seen.
 * Links and forms need no such care, they work by themselves.
 */
export const keepEarlyClicks = `earlyClicks=new Set;addEventListener("click",function(e){if(!window.earlyClicks)return;var b=e.target.closest("button[type=button]");if(b)earlyClicks.add(b)},true)`;

/** Once the page listens, does what was asked before it did; a button pressed twice by an impatient hand counts once. */
export function doEarlyClicks(): void {
  const pressed = window.earlyClicks;
  delete window.earlyClicks;
  for (const button of pressed ?? []) if (button.isConnected) button.click();
}
