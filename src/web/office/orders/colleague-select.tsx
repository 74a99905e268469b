import { Select } from "../ui/form/field.tsx";

type Colleague = { login: string; name: string };
/** The value of the list while nothing is chosen; no login is like it. */
const unchosen = "?";

/** The assignee of an order: one of the colleagues who may have orders, or no one. */
export function ColleagueSelect({
  colleagues,
  value,
  storedName = null,
  error,
  isDisabled,
  isPassing,
  onChoose,
}: {
  colleagues: readonly Colleague[];
  /** Null: no one; undefined: not chosen yet. */
  value: string | null | undefined;
  /** The name of the chosen one, who may have left. */
  storedName?: string | null;
  error: string | null | undefined;
  isDisabled?: boolean;
  /** The choice does not count as an unsaved entry. */
  isPassing?: boolean;
  onChoose: (login: string | null) => void;
}) {
  // An order may still have a colleague who has left the shop or lost the permission.
  const isGone = value != null && !colleagues.some(({ login }) => login === value);
  return (
    <Select
      label="Ведёт"
      value={value === undefined ? unchosen : (value ?? "")}
      disabled={isDisabled}
      data-passing={isPassing || undefined}
      error={error}
      options={[
        ...(value === undefined ? [[unchosen, "выберите"] as const] : []),
        ["", "никто"],
        ...colleagues.map(({ login, name }) => [login, name] as const),
        ...(isGone ? [[value, storedName ?? value] as const] : []),
      ]}
      onChange={({ target }) => {
        if (target.value !== unchosen) onChoose(target.value || null);
      }}
    />
  );
}
