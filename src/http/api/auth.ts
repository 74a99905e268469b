import * as contract from "#contract/public/auth.ts";
import { randomId } from "#kit/ids.ts";
import { done } from "#kit/result.ts";
import { sha256 } from "#kit/security/secrets.ts";
import * as auth from "#shop/auth/service.ts";
import { endpoint } from "../endpoint.ts";
import { renewBrowserId } from "../request/session.ts";

export const getCode = endpoint(contract.getCode, async (ctx, { body, visitor, jar }) => {
  const sent = await auth.requestCode(ctx, {
    phone: body.phone,
    address: visitor.address,
    deviceHash: visitor.deviceHash,
    proof: body.proof,
  });
  if (!sent.ok) return sent;
  jar.set("otp", sent.value.challenge);
  return done({ resendIn: sent.value.resendIn, expiresIn: sent.value.expiresIn });
});

/** Signing in gives the browser a session, and a device id for a year, so that limits can distinguish its owner from other visitors. */
export const checkCode = endpoint(contract.checkCode, async (ctx, { body, visitor, jar }) => {
  const device = visitor.deviceHash === null ? randomId() : null;
  const signedIn = await auth.checkCode(ctx, {
    phone: body.phone,
    code: body.code,
    challenge: jar.get("otp"),
    address: visitor.address,
    visitor: visitor.browser,
    deviceHash: device ? sha256(device) : visitor.deviceHash,
    userAgent: visitor.userAgent,
    previousSid: jar.get("sid"), // an earlier session, also a planted one, is invalid from now on
  });
  if (!signedIn.ok) return signedIn;
  jar.set("sid", signedIn.value.sid);
  if (device) jar.set("device", device);
  jar.clear("otp");
  return done(!signedIn.value.isNew);
});

/** Also gives the browser a new id, so that its next user starts with an empty cart. */
export const logout = endpoint(contract.logout, async (ctx, { jar, header }) => {
  const sid = jar.get("sid");
  if (sid) await auth.signOut(ctx, sid);
  jar.clear("sid");
  jar.clear("otp");
  jar.clear("city"); // checkout starts in Moscow again
  renewBrowserId(ctx, jar);
  header("clear-site-data", '"cache"');
  return done(true as const);
});
