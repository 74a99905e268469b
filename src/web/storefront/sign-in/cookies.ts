import * as contract from "#contract/calls.ts";
import { callApi } from "#contract/client.ts";
import { acceptsCookies } from "../shared/visitor-state.ts";

/**
 * Whether the browser stores no cookies, so that a code could not be checked and a cart would be lost. The server sets a cookie with its
 * first answer; a second request without it proves the block. A failed request proves nothing.
 */
export async function areCookiesBlocked(): Promise<boolean> {
  if (!navigator.cookieEnabled) return true;
  for (let requests = 0; requests < 2; requests += 1) {
    if (acceptsCookies()) return false;
    const state = await callApi(contract.readState);
    if (!state.ok || state.value.cookie === undefined) return false;
  }
  return true;
}
