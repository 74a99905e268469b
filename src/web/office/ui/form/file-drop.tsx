import { useId, useState, type ReactNode } from "react";

/** A place for a file: dropped, or chosen by a press. What it may be is checked by the server; `accept` is for the browser's dialog. */
export function FileDrop({
  label,
  accept,
  error,
  hint,
  isMultiple = false,
  isBusy = false,
  onFiles,
}: {
  label: ReactNode;
  accept?: string;
  error?: string | null;
  hint?: ReactNode;
  isMultiple?: boolean;
  isBusy?: boolean;
  onFiles: (files: File[]) => void;
}) {
  const id = useId();
  const [isOver, setOver] = useState(false);
  const take = (list: FileList | null) => {
    const files = [...(list ?? [])];
    if (files.length > 0 && !isBusy) onFiles(isMultiple ? files : files.slice(0, 1));
  };
  return (
    <div
      className={isOver ? "file-drop file-drop--over" : "file-drop"}
      onDragOver={(event) => {
        event.preventDefault();
        setOver(true);
      }}
      onDragLeave={() => setOver(false)}
      onDrop={(event) => {
        event.preventDefault();
        setOver(false);
        take(event.dataTransfer.files);
      }}
    >
      <input
        className="visually-hidden"
        id={id}
        type="file"
        accept={accept}
        multiple={isMultiple}
        disabled={isBusy}
        aria-describedby={hint || error ? `${id}-about` : undefined}
        onChange={(event) => {
          take(event.target.files);
          event.target.value = "";
        }}
      />
      <label htmlFor={id}>{isBusy ? "Загружаем…" : label}</label>
      {hint || error ? (
        <p className={error ? "hint hint--bad" : "hint"} id={`${id}-about`} role={error ? "alert" : undefined}>
          {error || hint}
        </p>
      ) : null}
    </div>
  );
}
