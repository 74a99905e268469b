import { NavLink } from "react-router";

/** The screens about goods that belong together. */
export const CoinTabs = () => (
  <nav className="tabs" aria-label="Каталог">
    <NavLink to="/coins" end>
      Монеты
    </NavLink>
    <NavLink to="/coins/categories">Разделы</NavLink>
    <NavLink to="/coins/series">Серии</NavLink>
    <NavLink to="/coins/synonyms">Синонимы поиска</NavLink>
  </nav>
);
