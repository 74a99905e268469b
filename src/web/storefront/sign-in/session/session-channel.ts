/** A channel between the tabs of this browser: a session has begun or ended. Null where the browser refuses it. */
export function sessionChannel(): BroadcastChannel | null {
  try {
    return new BroadcastChannel("session");
  } catch {
    return null;
  }
}

export function announceSession(): void {
  const channel = sessionChannel();
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a channel reaches its own origin only and takes no target
  channel?.postMessage("changed");
  channel?.close();
}
