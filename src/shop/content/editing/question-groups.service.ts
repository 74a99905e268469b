import { counted } from "#kit/format.ts";
import type { Tx } from "#kit/db.ts";
import type { PartData } from "../site/parts.ts";
import type { TextData } from "../text-data.ts";
import { partId } from "./editable.ts";
import * as rows from "./repository.ts";

/** Questions and pages refer to a group by its name. Questions whose group does not exist are shown nowhere. */

const chooseGroup = "Выберите раздел из списка";

/** The message beside a group that is not among the published groups of questions; null: it is. */
export async function groupFault(tx: Tx, name: string): Promise<string | null> {
  return (await groupNames(tx)).includes(name) ? null : chooseGroup;
}

/**
 * Messages by field when the new groups have a name twice, or no longer have a group that questions or the page of a coin use. A group
 * that is missing among the published ones already is not a fault. Null: no faults.
 */
export async function groupsFaults(tx: Tx, { groups }: PartData<"questions">): Promise<Record<string, string> | null> {
  const former = await groupNames(tx);
  const names = groups.map(({ name }) => name);
  const faults: Record<string, string> = {};
  for (const [index, name] of names.entries()) if (names.indexOf(name) < index) faults[`groups.${index}.name`] ??= "Такой раздел уже есть";
  const used = await usedGroups(tx);
  for (const [index, name] of former.entries()) {
    if (names.includes(name)) continue;
    const fault = lossOf(name, used);
    // A name that is new at the old place: it was renamed.
    const renamed = names[index] !== undefined && !former.includes(names[index]);
    if (fault) faults[renamed ? `groups.${index}.name` : "groups"] ??= fault;
  }
  return Object.keys(faults).length > 0 ? faults : null;
}

type Used = { questions: readonly string[]; onCoins: readonly string[] };

function lossOf(name: string, { questions, onCoins }: Used): string | null {
  const count = questions.filter((each) => each === name).length;
  if (count > 0) {
    const words = counted(count, ["вопрос", "вопроса", "вопросов"]);
    return `В разделе «${name}» ${words}: добавьте новый раздел, перенесите в него вопросы, потом уберите этот`;
  }
  if (onCoins.includes(name)) return `Раздел «${name}» стоит на страницах монет: выберите там другой в «Словах страниц»`;
  return null;
}

/** The groups of all questions, drafts included, and those that the words of pages name. */
async function usedGroups(tx: Tx): Promise<Used> {
  const questions = (await rows.readAll(tx, "faq")).flatMap(({ live, draft, isPublished }) => {
    const versions = [draft, isPublished || draft === null ? live : null] as (TextData<"faq"> | null)[];
    return [...new Set(versions.flatMap((each) => each?.group ?? []))];
  });
  const pages = await rows.readOne(tx, { kind: "pages", id: partId });
  const words = [pages?.live, pages?.draft] as (PartData<"pages"> | null | undefined)[];
  return { questions, onCoins: words.flatMap((each) => each?.coinQuestions ?? []) };
}

async function groupNames(tx: Tx): Promise<string[]> {
  const part = await rows.readOne(tx, { kind: "questions", id: partId });
  return part ? (part.live as PartData<"questions">).groups.map(({ name }) => name) : [];
}
