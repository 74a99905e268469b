import * as z from "zod/mini";
import { identityKinds, type Identity } from "./deal.ts";

const schema = z.object({
  lastName: z.string(),
  name: z.string(),
  secondName: z.string(),
  birthDate: z.string(),
  kind: z.enum(identityKinds),
  series: z.string(),
  number: z.string(),
  issuedBy: z.string(),
  issuedOn: z.string(),
  address: z.string(),
});

/** The decrypted column `identity`. */
export const parseIdentity = (text: string): Identity => schema.parse(JSON.parse(text));
