import { useState, type ReactNode } from "react";
import { confirm } from "../../ui/form/confirm.tsx";
import { Notice } from "../../ui/marks.tsx";
import { PageHead } from "../../ui/page-head.tsx";
import { showToast } from "../../ui/toasts.tsx";
import { CoinTabs } from "../coin-tabs.tsx";

type Answer = { ok: boolean; error?: { message: string } | null };

/** A list of sections or series whose order staff change: what is edited, and why the last change was refused. */
export function useSectionList<T>(reload: () => Promise<unknown>) {
  const [edited, setEdited] = useState<T | "new" | null>(null);
  const [trouble, setTrouble] = useState<string | null>(null);

  async function change(call: Promise<Answer>, doneText?: string): Promise<void> {
    const answer = await call;
    setTrouble(answer.ok ? null : (answer.error?.message ?? null));
    if (answer.ok && doneText) showToast(doneText);
    await reload();
  }
  async function remove({ title, doneText }: { title: string; doneText: string }, call: () => Promise<Answer>): Promise<void> {
    if (await confirm({ title, action: "Удалить" })) await change(call(), doneText);
  }
  function close(): void {
    setEdited(null);
  }
  function finish(): void {
    close();
    showToast("Сохранено");
    void reload();
  }
  return { edited, setEdited, trouble, change, remove, close, finish };
}

type PageProps = {
  title: string;
  facts: string;
  addText: string;
  onAdd: () => void;
  /** Why the last change, or the list itself, was refused. */
  trouble: string | null | undefined;
  isLoaded: boolean;
  /** The rows. */
  children: ReactNode;
  form: ReactNode;
};

export function SectionPage({ title, facts, addText, onAdd, trouble, isLoaded, children, form }: PageProps) {
  return (
    <>
      <PageHead
        title={title}
        facts={facts}
        actions={
          <button className="button button--gold" type="button" onClick={onAdd}>
            {addText}
          </button>
        }
      />
      <CoinTabs />
      {trouble ? (
        <Notice tone="warn">
          <p>{trouble}</p>
        </Notice>
      ) : null}
      {isLoaded ? <ul className="section-tree">{children}</ul> : <p role="status">Загружаем…</p>}
      {form}
    </>
  );
}

type RowProps = {
  title: string;
  note: string;
  coinCount: number;
  depth?: number;
  isFirst: boolean;
  isLast: boolean;
  onOpen: () => void;
  onMove: (step: 1 | -1) => void;
  /** Null: it cannot be deleted. */
  onRemove: (() => void) | null;
};

export function SectionRow({ title, note, coinCount, depth = 0, isFirst, isLast, onOpen, onMove, onRemove }: RowProps) {
  return (
    <li className={depth > 0 ? `section-tree__${Math.min(2, depth)}` : undefined}>
      <span className="truncated">
        <button className="text-button" type="button" onClick={onOpen}>
          {title}
        </button>{" "}
        <span className="muted">{note}</span>
      </span>
      <span className="muted number">{coinCount}</span>
      <span className="section-tree__actions">
        <button
          className="button button--quiet button--small"
          type="button"
          disabled={isFirst}
          aria-label={`Выше: ${title}`}
          onClick={() => onMove(-1)}
        >
          ↑
        </button>
        <button
          className="button button--quiet button--small"
          type="button"
          disabled={isLast}
          aria-label={`Ниже: ${title}`}
          onClick={() => onMove(1)}
        >
          ↓
        </button>
        {onRemove ? (
          <button className="button button--quiet button--small" type="button" onClick={onRemove}>
            Удалить
          </button>
        ) : null}
      </span>
    </li>
  );
}
