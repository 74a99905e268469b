import * as z from "zod";
import { isCommonPassword } from "#kit/security/common-password.ts";
import { fieldMessages } from "../../fields.ts";
import { instant, nothing, requiredLine } from "../../wire.ts";
import { staffCall } from "../call.ts";
import { grants, role, rowIdParam, tokenParam } from "../wire.ts";

const b64 = z.string().regex(/^[A-Za-z0-9_-]{1,20000}$/, fieldMessages.wrong);

/** Options of WebAuthn in their JSON form; `@simplewebauthn/browser` takes them as they are. */
const requestOptions = z.object({
  challenge: z.string(),
  rpId: z.string(),
  timeout: z.number(),
  userVerification: z.literal("required"),
  allowCredentials: z.array(z.object({ id: z.string(), type: z.literal("public-key") })),
});
const creationOptions = z.object({
  rp: z.object({ name: z.string(), id: z.string() }),
  user: z.object({ id: z.string(), name: z.string(), displayName: z.string() }),
  challenge: z.string(),
  pubKeyCredParams: z.array(z.object({ alg: z.number(), type: z.literal("public-key") })),
  timeout: z.number(),
  attestation: z.literal("none"),
  authenticatorSelection: z.object({
    residentKey: z.literal("required"),
    requireResidentKey: z.literal(true),
    userVerification: z.literal("required"),
  }),
  excludeCredentials: z.array(z.object({ id: z.string(), type: z.literal("public-key") })),
});

/** What the browser's authenticator answered, as `startAuthentication` returns it. */
const assertion = z.object({
  id: b64,
  rawId: b64,
  type: z.literal("public-key"),
  response: z.object({ clientDataJSON: b64, authenticatorData: b64, signature: b64, userHandle: b64.optional() }),
  authenticatorAttachment: z.string().max(20).optional(),
  clientExtensionResults: z.looseObject({}),
});
/** The answer of the browser's authenticator, as `startRegistration` returns it. */
const attestation = z.object({
  id: b64,
  rawId: b64,
  type: z.literal("public-key"),
  response: z.object({
    clientDataJSON: b64,
    attestationObject: b64,
    authenticatorData: b64.optional(),
    transports: z.array(z.string().max(20)).max(10).optional(),
    publicKeyAlgorithm: z.number().optional(),
    publicKey: b64.optional(),
  }),
  authenticatorAttachment: z.string().max(20).optional(),
  clientExtensionResults: z.looseObject({}),
});

const password = z
  .string(fieldMessages.required)
  .min(12, "Не короче 12 символов")
  .max(200, fieldMessages.tooLong)
  .refine((given) => !isCommonPassword(given), "Такие пароли подбирают первыми: придумайте другой");
/** Six digits, spaces allowed. */
const code = z
  .string(fieldMessages.required)
  .transform((text) => text.replaceAll(/[\s-]/g, ""))
  .pipe(z.string().regex(/^\d{6}$/, "Шесть цифр из приложения"));
/** `ABCD-EFGH-JKMN`, case and hyphens do not matter. */
const recoveryCode = z
  .string(fieldMessages.required)
  .transform((text) => text.replaceAll(/[\s-]/g, "").toUpperCase())
  .pipe(z.string().regex(/^[0-9A-Z]{12}$/, "Двенадцать знаков запасного кода"));

/** The caller, as the shell of the app needs it. */
const me = z.object({
  id: z.int(),
  login: z.string(),
  name: z.string(),
  email: z.string(),
  roles: z.array(role),
  grants,
  /** Until when the second factor counts as confirmed; null: calls that need it request it. */
  verifiedUntil: instant.nullable(),
  /** When the session ends unless another call is made. */
  idleEndsAt: instant,
  /** When the session ends in any case. */
  endsAt: instant,
  /**
   * How this account confirms: the step-up overlay offers these. `code`: of the application, beside a password; `recovery`: a recovery
   * code; `demo`: one press, in the demonstration only.
   */
  factors: z.array(z.enum(["passkey", "code", "recovery", "demo"])),
  isDemo: z.boolean(),
});

export const readMe = staffCall({
  method: "GET",
  path: "/api/staff/me",
  summary: "The signed-in member of staff with grants and the state of the session",
  permission: "signed_in",
  audit: null,
  answer: me,
  problems: [],
});

export const readSignIn = staffCall({
  method: "GET",
  path: "/api/staff/sign-in",
  summary: "What the sign-in page shows: roles for one press are in the demonstration on this machine only",
  permission: "public",
  audit: null,
  answer: z.object({ shop: z.string(), demoRoles: z.array(role) }),
  problems: [],
});

export const readSignInOptions = staffCall({
  method: "GET",
  path: "/api/staff/sign-in/passkey",
  summary: "Options for `startAuthentication`; the authenticator itself offers the accounts it knows",
  permission: "public",
  audit: null,
  answer: requestOptions,
  problems: [],
});

export const signInByPasskey = staffCall({
  method: "POST",
  path: "/api/staff/sign-in/passkey",
  summary: "Signs in by passkey and sets the session cookie",
  permission: "public",
  audit: "staff.sign_in",
  body: z.strictObject({ credential: assertion }),
  answer: me,
  problems: ["staff.sign_in_refused", "staff.sign_in_closed"],
});

export const signInByPassword = staffCall({
  method: "POST",
  path: "/api/staff/sign-in/password",
  summary: "Signs in by password with the time-based code, or with a recovery code instead of it, and sets the session cookie",
  permission: "public",
  audit: "staff.sign_in",
  body: z
    .strictObject({
      email: requiredLine(200),
      password: z.string(fieldMessages.required).min(1, fieldMessages.required).max(200, fieldMessages.tooLong),
      code: code.optional(),
      recoveryCode: recoveryCode.optional(),
    })
    .refine((given) => (given.code === undefined) !== (given.recoveryCode === undefined), {
      path: ["code"],
      error: fieldMessages.required,
    }),
  answer: me,
  problems: ["staff.sign_in_refused", "staff.sign_in_closed"],
});

export const demoSignIn = staffCall({
  method: "POST",
  path: "/api/staff/demo-sign-in",
  summary: "Demonstration on this machine only: signs in with a role by one press",
  permission: "public",
  audit: "staff.sign_in",
  body: z.strictObject({ role }),
  answer: me,
  problems: ["staff.not_found", "staff.disabled"],
});

export const signOut = staffCall({
  method: "POST",
  path: "/api/staff/sign-out",
  summary: "Ends this session",
  permission: "signed_in",
  audit: "staff.sign_out",
  answer: nothing,
  problems: [],
});

export const readStepUpOptions = staffCall({
  method: "GET",
  path: "/api/staff/step-up",
  summary: "Options for `startAuthentication` with the caller's own passkeys",
  permission: "signed_in",
  audit: null,
  answer: requestOptions,
  problems: [],
});

export const stepUp = staffCall({
  method: "POST",
  path: "/api/staff/step-up",
  summary: "Confirms the session by passkey, time-based code or recovery code; `demo` in the demonstration on this machine only",
  permission: "signed_in",
  audit: "staff.step_up",
  body: z.discriminatedUnion("by", [
    z.strictObject({ by: z.literal("passkey"), credential: assertion }),
    z.strictObject({ by: z.literal("code"), code }),
    z.strictObject({ by: z.literal("recovery"), recoveryCode }),
    z.strictObject({ by: z.literal("demo") }),
  ]),
  answer: z.object({ verifiedUntil: instant }),
  problems: ["staff.factor_refused", "staff.sign_in_closed"],
});

const session = z.object({
  id: z.int(),
  isThis: z.boolean(),
  /** «Chrome, Windows». */
  device: z.string(),
  address: z.string(),
  createdAt: instant,
  lastUsedAt: instant,
});

export const readDevices = staffCall({
  method: "GET",
  path: "/api/staff/devices",
  summary: "The caller's own sessions and ways to sign in",
  permission: "signed_in",
  audit: null,
  answer: z.object({
    sessions: z.array(session),
    passkeys: z.array(z.object({ id: z.int(), label: z.string(), createdAt: instant, lastUsedAt: instant.nullable() })),
    hasPassword: z.boolean(),
    recoveryCodesLeft: z.int(),
  }),
  problems: [],
});

export const endSession = staffCall({
  method: "DELETE",
  path: "/api/staff/sessions/{id}",
  summary: "Ends one of the caller's own sessions",
  permission: "signed_in",
  audit: "staff.end_session",
  params: z.object({ id: rowIdParam }),
  answer: nothing,
  problems: ["staff.not_found"],
});

export const endAllSessions = staffCall({
  method: "POST",
  path: "/api/staff/sessions/end",
  summary: "Ends all sessions of the caller, or all but this one",
  permission: "signed_in",
  audit: "staff.end_session",
  body: z.strictObject({ exceptThis: z.boolean() }),
  answer: z.object({ ended: z.int() }),
  problems: [],
});

export const readNewPasskeyOptions = staffCall({
  method: "GET",
  path: "/api/staff/passkeys/new",
  summary: "Options for `startRegistration` of another passkey",
  permission: "signed_in",
  audit: null,
  answer: creationOptions,
  problems: [],
});

export const addPasskey = staffCall({
  method: "POST",
  path: "/api/staff/passkeys",
  summary: "Adds a passkey to the caller's account",
  permission: "signed_in",
  needsStepUp: true,
  audit: "staff.add_passkey",
  body: z.strictObject({ credential: attestation, label: requiredLine(60) }),
  answer: z.object({ id: z.int() }),
  problems: ["staff.factor_refused"],
});

export const removePasskey = staffCall({
  method: "DELETE",
  path: "/api/staff/passkeys/{id}",
  summary: "Removes a passkey of the caller's account; the last way to sign in stays",
  permission: "signed_in",
  needsStepUp: true,
  audit: "staff.remove_passkey",
  params: z.object({ id: rowIdParam }),
  answer: nothing,
  problems: ["staff.not_found", "staff.last_factor"],
});

export const renewRecoveryCodes = staffCall({
  method: "POST",
  path: "/api/staff/recovery-codes",
  summary: "Replaces the caller's recovery codes; the new ones are shown once",
  permission: "signed_in",
  needsStepUp: true,
  isSecret: true,
  audit: "staff.renew_recovery_codes",
  answer: z.object({ recoveryCodes: z.array(z.string()) }),
  problems: [],
});

export const changePassword = staffCall({
  method: "POST",
  path: "/api/staff/password",
  summary: "Replaces the caller's password and ends its other sessions; accounts without a password have none to replace",
  permission: "signed_in",
  needsStepUp: true,
  isSecret: true,
  audit: "staff.change_password",
  body: z.strictObject({
    oldPassword: z.string(fieldMessages.required).min(1, fieldMessages.required).max(200, fieldMessages.tooLong),
    newPassword: password,
  }),
  answer: z.object({ ended: z.int() }),
  problems: ["staff.not_found", "staff.sign_in_closed", "request.invalid"],
});

/**
 * Random text of one opening of an invitation's page. The secret for the code application depends on it, so that another one who had the
 * link cannot know the secret that the invited person takes.
 */
const pageKey = tokenParam.optional();

export const openInvitation = staffCall({
  method: "POST",
  path: "/api/staff/invitations/open",
  summary:
    "What an invitation offers: role, options for a passkey, and the secret for a code application. The token is the link's fragment",
  permission: "public",
  audit: "staff.open_invitation",
  body: z.strictObject({ token: tokenParam, pageKey }),
  answer: z.object({
    email: z.string(),
    roles: z.array(role),
    expiresAt: instant,
    /** Present when the invitation renews the sign-in of an account: login and name stay as they are. */
    account: z.object({ login: z.string(), name: z.string() }).nullable(),
    suggestedLogin: z.string(),
    passkey: creationOptions,
    totp: z.object({
      /** For typing in, groups of four. */
      secret: z.string(),
      uri: z.string(),
      /** The path of an SVG with the view box `0 0 size size`. */
      qr: z.object({ size: z.int(), path: z.string() }),
    }),
  }),
  problems: ["staff.invitation_gone"],
});

export const acceptInvitation = staffCall({
  method: "POST",
  path: "/api/staff/invitations/accept",
  summary: "Sets the account up and signs in; the recovery codes are shown once",
  permission: "public",
  audit: "staff.accept_invitation",
  body: z.strictObject({
    token: tokenParam,
    pageKey,
    login: z
      .string(fieldMessages.required)
      .toLowerCase()
      .regex(/^[a-z][a-z0-9._-]{1,39}$/, "Латинские буквы, цифры, точка и дефис, от 2 до 40 знаков"),
    name: requiredLine(100),
    factor: z.discriminatedUnion("by", [
      z.strictObject({ by: z.literal("passkey"), credential: attestation, label: requiredLine(60) }),
      z.strictObject({ by: z.literal("password"), password, code }),
    ]),
  }),
  answer: z.object({ me, recoveryCodes: z.array(z.string()) }),
  problems: ["staff.invitation_gone", "staff.login_taken", "staff.factor_refused"],
});
