import type * as approvals from "./approvals.ts";
import type * as audit from "./audit.ts";
import type { StaffCall } from "./call.ts";
import type * as people from "./people.ts";
import type * as session from "./session.ts";

declare const entry: unique symbol;

/** A staff call as the browser knows it: method and path at run time, the entry of the contract at compile time (`calls.test.ts` compares both). */
export type StaffCallRef<C extends StaffCall = StaffCall> = `${C["method"]} ${C["path"]}` & { readonly [entry]: C };
export type StaffEntryOf<Ref extends StaffCallRef> = Ref[typeof entry];

/** The calls that the back office makes. The entries hold the schemas, which browsers do not need: here they are imported as types only. */
export const readMe = "GET /api/staff/me" as StaffCallRef<typeof session.readMe>;
export const readSignIn = "GET /api/staff/sign-in" as StaffCallRef<typeof session.readSignIn>;
export const readSignInOptions = "GET /api/staff/sign-in/passkey" as StaffCallRef<typeof session.readSignInOptions>;
export const signInByPasskey = "POST /api/staff/sign-in/passkey" as StaffCallRef<typeof session.signInByPasskey>;
export const signInByPassword = "POST /api/staff/sign-in/password" as StaffCallRef<typeof session.signInByPassword>;
export const demoSignIn = "POST /api/staff/demo-sign-in" as StaffCallRef<typeof session.demoSignIn>;
export const signOut = "POST /api/staff/sign-out" as StaffCallRef<typeof session.signOut>;
export const readStepUpOptions = "GET /api/staff/step-up" as StaffCallRef<typeof session.readStepUpOptions>;
export const stepUp = "POST /api/staff/step-up" as StaffCallRef<typeof session.stepUp>;
export const readDevices = "GET /api/staff/devices" as StaffCallRef<typeof session.readDevices>;
export const endSession = "DELETE /api/staff/sessions/{id}" as StaffCallRef<typeof session.endSession>;
export const endAllSessions = "POST /api/staff/sessions/end" as StaffCallRef<typeof session.endAllSessions>;
export const readNewPasskeyOptions = "GET /api/staff/passkeys/new" as StaffCallRef<typeof session.readNewPasskeyOptions>;
export const addPasskey = "POST /api/staff/passkeys" as StaffCallRef<typeof session.addPasskey>;
export const removePasskey = "DELETE /api/staff/passkeys/{id}" as StaffCallRef<typeof session.removePasskey>;
export const renewRecoveryCodes = "POST /api/staff/recovery-codes" as StaffCallRef<typeof session.renewRecoveryCodes>;
export const openInvitation = "POST /api/staff/invitations/open" as StaffCallRef<typeof session.openInvitation>;
export const acceptInvitation = "POST /api/staff/invitations/accept" as StaffCallRef<typeof session.acceptInvitation>;

export const readPeople = "GET /api/staff/people" as StaffCallRef<typeof people.readPeople>;
export const invitePerson = "POST /api/staff/people" as StaffCallRef<typeof people.invitePerson>;
export const withdrawInvitation = "DELETE /api/staff/invitations/{id}" as StaffCallRef<typeof people.withdrawInvitation>;
export const changeRoles = "PATCH /api/staff/people/{id}" as StaffCallRef<typeof people.changeRoles>;
export const setDisabled = "POST /api/staff/people/{id}/disabled" as StaffCallRef<typeof people.setDisabled>;
export const endSessionsOf = "POST /api/staff/people/{id}/sessions/end" as StaffCallRef<typeof people.endSessionsOf>;
export const resetFactors = "POST /api/staff/people/{id}/factors/reset" as StaffCallRef<typeof people.resetFactors>;

export const readApprovals = "GET /api/staff/approvals" as StaffCallRef<typeof approvals.readApprovals>;
export const approve = "POST /api/staff/approvals/{id}/approve" as StaffCallRef<typeof approvals.approve>;
export const refuse = "POST /api/staff/approvals/{id}/refuse" as StaffCallRef<typeof approvals.refuse>;

export const readAudit = "GET /api/staff/audit" as StaffCallRef<typeof audit.readAudit>;
export const exportAudit = "POST /api/staff/audit/export" as StaffCallRef<typeof audit.exportAudit>;
