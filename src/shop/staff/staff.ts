import type { Role } from "./role.ts";

/** A member of staff. */
export type StaffMember = { id: number; login: string; name: string; email: string; roles: readonly Role[] };

/** A live session of a member of staff. */
export type StaffSession = {
  id: number;
  createdAt: Date;
  lastUsedAt: Date;
  /** When a factor was last entered. */
  verifiedAt: Date;
};

/** How an account can confirm a session. */
export type Factors = { passkeys: number; hasPassword: boolean; recoveryCodesLeft: number };

/** A member of staff in the list of people. */
export type Person = Omit<StaffMember, "roles"> &
  Pick<Factors, "passkeys" | "hasPassword"> & {
    roles: readonly Role[];
    isDisabled: boolean;
    /** Open sessions. */
    sessions: number;
    lastUsedAt: Date | null;
    revision: number;
  };

/** Refusals of the services of this module. */
export type StaffError =
  | { code: "staff.sign_in_refused" }
  | { code: "staff.sign_in_closed"; retryAfterSeconds: number }
  | { code: "staff.factor_refused" }
  | { code: "staff.invitation_gone" }
  | { code: "staff.login_taken" }
  | { code: "staff.email_taken" }
  | { code: "staff.last_admin" }
  | { code: "staff.last_factor" }
  | { code: "staff.not_self" }
  | { code: "staff.forbidden" }
  | { code: "staff.not_found" }
  | { code: "staff.stale"; current: { roles: readonly Role[]; isDisabled: boolean }; revision: number };

/** Accounts of the demonstration, one for each role: invented names, no password, sign-in by one press on this machine. */
export const demoAccounts: Readonly<Record<Role, { login: string; name: string; email: string }>> = {
  sales: { login: "demo-sales", name: "Анна Продажина", email: "demo-sales@chekan.example" },
  packing: { login: "demo-packing", name: "Павел Упаковкин", email: "demo-packing@chekan.example" },
  buyback: { login: "demo-buyback", name: "Вера Выкупова", email: "demo-buyback@chekan.example" },
  editor: { login: "demo-editor", name: "Егор Редакторов", email: "demo-editor@chekan.example" },
  accountant: { login: "demo-accountant", name: "Ольга Счетова", email: "demo-accountant@chekan.example" },
  owner: { login: "demo-owner", name: "Олег Владельцев", email: "demo-owner@chekan.example" },
  admin: { login: "demo-admin", name: "Алла Админова", email: "demo-admin@chekan.example" },
};

/** Whether a login is that of an account of the demonstration. */
export const isDemoLogin = (login: string): boolean => Object.values(demoAccounts).some((account) => account.login === login);
