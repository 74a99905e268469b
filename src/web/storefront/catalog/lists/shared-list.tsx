import { Link, useNavigate } from "react-router";
import { Button } from "../../../ui/button.tsx";
import { addToList, useVisitorState } from "../../shared/visitor-state.ts";
import { showToast } from "../../../ui/toasts.tsx";

const lists = {
  wishlist: { path: "/wishlist", own: "Моё избранное" },
  compare: { path: "/product-comparison", own: "Моё сравнение" },
} as const;
type ListName = keyof typeof lists;

/** The most coins in a shared link, so that it is short enough for every messenger. */
const maxSharedCoins = 100;

/** The coins that a shared link names (`?coins=1001,1002`), in its order; null when the page was opened without one. */
export function sharedIds(request: Request, most = maxSharedCoins): number[] | null {
  const named = new URL(request.url).searchParams.get("coins");
  if (named === null) return null;
  return [
    ...new Set(
      named
        .split(",")
        .filter((id) => /^[1-9]\d{0,8}$/.test(id))
        .map(Number),
    ),
  ].slice(0, most);
}

/** Shares the list as a link that names these coins, so that it does not change with the list. */
export function ShareList({ list, ids }: { list: ListName; ids: readonly number[] }) {
  async function share() {
    const url = new URL(`${lists[list].path}?coins=${ids.slice(0, maxSharedCoins).join(",")}`, location.origin).href;
    const isPhone = matchMedia("(pointer: coarse)").matches;
    // On a phone this opens the system's share sheet; dismissing it rejects the promise, which is not an error.
    if (isPhone && "share" in navigator) return navigator.share({ title: document.title, url }).catch(() => {});
    return navigator.clipboard.writeText(url).then(
      () => showToast("Ссылка на список скопирована"),
      () => showToast(`Ссылка на список: ${url}`),
    );
  }
  return (
    <Button variant="line" small onClick={() => void share()}>
      Поделиться
    </Button>
  );
}

/** The buttons above a shared list: add its coins to the visitor's own list, or open that list. */
export function SharedTools({ list, ids }: { list: ListName; ids: readonly number[] }) {
  const own = useVisitorState((state) => state[list]);
  const navigate = useNavigate();
  const { path, own: ownName } = lists[list];
  const missing = ids.filter((id) => !own.includes(id));
  async function addAll() {
    for (const id of missing.toReversed()) await addToList(list, id); // one after the other: the list shows the newest first
    await navigate(path);
  }
  return (
    <>
      {missing.length > 0 && (
        <Button small onClick={() => void addAll()}>
          Добавить к себе
        </Button>
      )}
      <Link className="button button--line button--small" to={path}>
        {ownName}
      </Link>
    </>
  );
}
