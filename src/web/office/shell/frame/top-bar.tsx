import { Link, useNavigate } from "react-router";
import * as contract from "#contract/staff/calls.ts";
import { callStaff } from "../../client.ts";
import { signedOut, useStaff } from "../../session.ts";
import { roleList } from "../../staff/words.ts";
import { Icon } from "../../ui/icon.tsx";
import { mayGiveUp } from "../../ui/form/unsaved.ts";
import { Menu, MenuChoice, MenuItem, MenuLabel } from "../../ui/menu.tsx";
import { showToast } from "../../ui/toasts.tsx";
import { showOverlay } from "./overlays.ts";
import { RatesChip } from "./rates-chip.tsx";
import { setTheme, themeNames, themes, useTheme } from "./theme.ts";

/** Search, rates and who is signed in. */
export function TopBar() {
  const { may } = useStaff();
  return (
    <header className="top-bar">
      <Link className="logo" to="/" aria-label="Чекан, начальный экран">
        <Icon name="mark" className="logo__mark" />
        <span>Чекан</span>
      </Link>
      <button className="find" type="button" aria-keyshortcuts="Control+K" onClick={() => showOverlay("palette")}>
        <Icon name="search" size="small" />
        <span>Заказ, телефон, монета, трек-номер</span>
        <kbd>Ctrl K</kbd>
      </button>
      {may("rates.read") ? <RatesChip /> : null}
      <WhoMenu />
    </header>
  );
}

function WhoMenu() {
  const { name, roles } = useStaff();
  const theme = useTheme();
  const navigate = useNavigate();
  const leave = async () => {
    if (!(await mayGiveUp())) return;
    const answer = await callStaff(contract.signOut);
    if (answer.ok || answer.error?.code === "staff.sign_in_required") signedOut();
    else showToast(answer.error?.message ?? "", { isTrouble: true });
  };
  return (
    <Menu
      className="account-menu"
      name={`${name}, ${roleList(roles)}`}
      label={
        <>
          <span className="account-menu__name">
            {name} <span className="muted">{roleList(roles)}</span>
          </span>
          <Icon name="user" className="icon account-menu__icon" />
          <Icon name="down" size="small" />
        </>
      }
    >
      <MenuItem onPress={() => void navigate("/devices")}>Мои устройства</MenuItem>
      <MenuItem onPress={() => showOverlay("keys")} cap="?">
        Клавиши
      </MenuItem>
      <MenuLabel>Тема</MenuLabel>
      {themes.map((each) => (
        <MenuChoice key={each} isChosen={each === theme} onPress={() => setTheme(each)}>
          {themeNames[each]}
        </MenuChoice>
      ))}
      <MenuItem onPress={() => void leave()} isApart>
        Выйти
      </MenuItem>
    </Menu>
  );
}
