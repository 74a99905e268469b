import { type ReactNode, useEffect, useState } from "react";
import { useNavigate, useNavigation } from "react-router";
import { number, plural } from "#kit/format.ts";
import { Icon } from "../../../ui/icon.tsx";
import { CoinGrid } from "../cards/coin-card.tsx";
import { Filters } from "../filters/filters.tsx";
import { type ListChoice, countFilters, type ListUrl } from "./listing-query.ts";
import { Chips, newestChoice, Presets, SortBox, ViewSwitch } from "./listing-tools.tsx";
import type { ShownListing } from "./listing-view.ts";
import "../cards/card.css";

const productForms = ["вид монет", "вида монет", "видов монет"] as const;

/** A list of coins with its filters and tools, and `children` below it; the catalogue and the search share it. */
export function ListingBody({
  list,
  chosen,
  listing,
  countNote,
  empty,
  children,
}: {
  list: ListUrl;
  chosen: ListChoice;
  listing: ShownListing;
  countNote?: ReactNode;
  empty: ReactNode;
  children: (isBusy: boolean) => ReactNode;
}) {
  const { cards, total, facets, price, years, presets, sorts } = listing;
  const [isSheetOpen, setSheetOpen] = useState(false);
  // Without scripts the button is a link and the address (`#filters`) opens the sheet; with scripts the state opens and closes it.
  useEffect(() => {
    if (location.hash !== "#filters") return;
    location.replace("#catalog");
    setSheetOpen(true);
  }, []);
  const navigation = useNavigation();
  const isBusy = navigation.state === "loading" && navigation.location.pathname.startsWith(list.path.slice(0, 7));
  const count = countFilters(chosen);
  const tools = { list, chosen, navigate: useNavigate() };
  return (
    <>
      <Presets {...tools} presets={presets} />
      <div className="catalog" id="catalog">
        <Filters
          list={list}
          chosen={chosen}
          newest={() => newestChoice(list, chosen)}
          facets={facets}
          price={price}
          years={years}
          total={total}
          isOpen={isSheetOpen}
          setOpen={setSheetOpen}
        />
        <div className="catalog__list" aria-busy={isBusy}>
          <div className="list-bar">
            <a
              className="button button--line button--small list-bar__open"
              href="#filters"
              role="button"
              aria-haspopup="dialog"
              onClick={(event) => {
                event.preventDefault();
                setSheetOpen(true);
              }}
            >
              <Icon name="sliders" />
              Фильтры {count > 0 && <span className="digits">{count}</span>}
            </a>
            <p className={`list-bar__count${countNote === undefined ? "" : " list-bar__count--with-note"}`} role="status">
              <b className="digits">{number(total)}</b> {plural(total, productForms)}
              {countNote}
            </p>
            <Chips {...tools} facets={facets} />
            <div className="list-bar__tools">
              <label className="switch">
                <input type="checkbox" id="true-scale" />В одном масштабе
              </label>
              <ViewSwitch {...tools} />
              <SortBox {...tools} sorts={sorts} />
            </div>
          </div>
          {cards.length > 0 ? <CoinGrid cards={cards} heading="h2" eager={2} isRows={chosen.isRows} /> : empty}
          {children(isBusy)}
        </div>
      </div>
    </>
  );
}
