import { useMaskito } from "@maskito/react";
import type { MaskitoOptions } from "@maskito/core";
import { Field, type FieldProps } from "./field.tsx";
import { maskedPhone, phoneDigits } from "./phone.ts";

const digit = /\d/;
const options: MaskitoOptions = {
  mask: ["+", "7", " ", "(", digit, digit, digit, ")", " ", digit, digit, digit, "-", digit, digit, "-", digit, digit],
  preprocessors: [
    ({ elementState, data }, action) => {
      // Autofill and values set by script arrive whole, not as typing.
      if (action === "validation") {
        const digits = phoneDigits(elementState.value);
        const value = digits ? maskedPhone(digits) : "";
        return { elementState: { value, selection: [value.length, value.length] }, data };
      }
      const pasted = phoneDigits(data);
      if (pasted.length === 10) return { elementState: { value: "", selection: [0, 0] }, data: pasted };
      // The first 7 or 8 is the prefix that the mask writes by itself.
      const isFirst = phoneDigits(elementState.value) === "";
      if (action === "insert" && isFirst && /^\+?[78]?$/.test(data)) return { elementState: { value: "+7 (", selection: [4, 4] }, data: "" };
      return { elementState, data };
    },
  ],
  // A bare prefix left after deleting is an empty field.
  postprocessors: [(state, before) => (phoneDigits(state.value) === "" && before.value.length > state.value.length ? { value: "", selection: [0, 0] } : state)],
};

/** A Russian phone behind the mask `+7 (###) ###-##-##`; takes any spelling that people paste. */
export function PhoneField({ value, onValue, ...field }: Omit<FieldProps, "ref" | "type" | "value" | "onChange"> & { value: string; onValue: (masked: string) => void }) {
  const mask = useMaskito({ options });
  return (
    <Field
      autoComplete="tel" placeholder="+7 (___) ___-__-__" {...field} ref={mask} type="tel" inputMode="tel"
      value={value} onInput={(event) => onValue(event.currentTarget.value)} onChange={() => undefined}
    />
  );
}
