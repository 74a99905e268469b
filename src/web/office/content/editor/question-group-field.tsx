import * as contract from "#contract/staff/calls.ts";
import type { PartData } from "#shop/content/site/parts.ts";
import { Select } from "../../ui/form/field.tsx";
import { useRead } from "../../ui/send/use-read.ts";
import { optionsWith } from "./stored-options.ts";

/** One of the published groups of questions. A stored group that is gone stays chosen and says so until another is chosen. */
export function QuestionGroupField({
  none,
  value,
  error,
  onChange,
  ...field
}: {
  label: string;
  hint?: string | undefined;
  error?: string | undefined;
  /** The words for no group; without them a group must be chosen. */
  none?: string | undefined;
  value: string;
  onChange: (value: string) => void;
}) {
  const { data, refusal } = useRead(contract.readContent, { params: { kind: "questions", id: 1 } });
  const groups = (data?.live as PartData<"questions"> | undefined)?.groups.map(({ name }) => [name, name] as const);
  const words = { gone: "такого раздела нет", none: none ?? "Не выбран", isOptional: none !== undefined };
  return (
    <Select
      {...field}
      error={error ?? refusal?.message}
      options={optionsWith(value, groups ?? null, words)}
      value={value}
      onChange={({ target }) => onChange(target.value)}
    />
  );
}
