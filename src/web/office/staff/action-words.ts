/** What an audit action is called on screens. An action without words shows its code: the audit must never hide an entry. */
const actionWords: Readonly<Record<string, string>> = {
  "staff.sign_in": "Вход",
  "staff.sign_out": "Выход",
  "staff.step_up": "Подтверждение входа",
  "staff.end_session": "Конец своего сеанса",
  "staff.end_sessions": "Конец сеансов сотрудника",
  "staff.add_passkey": "Новый ключ входа",
  "staff.remove_passkey": "Ключ входа убран",
  "staff.renew_recovery_codes": "Новые запасные коды",
  "staff.open_invitation": "Приглашение открыто",
  "staff.accept_invitation": "Приглашение принято",
  "staff.invite": "Приглашение сотрудника",
  "staff.withdraw_invitation": "Приглашение отозвано",
  "staff.change_roles": "Роли сотрудника",
  "staff.disable": "Отключение сотрудника",
  "staff.reset_factors": "Сброс входа сотрудника",
  "approval.ask": "Просьба о согласовании",
  "approval.approve": "Согласовано",
  "approval.refuse": "Отказано в согласовании",
  "audit.export": "Выгрузка журнала",
  "order.refund": "Возврат денег",
  "stock.correct": "Правка остатка",
};
export const actionName = (action: string): string => actionWords[action] ?? action;

/** The first parts of actions, for the filter of the audit. */
export const actionGroups: readonly (readonly [value: string, text: string])[] = [
  ["", "любое"],
  ["order", "заказы"],
  ["stock", "склад"],
  ["staff", "сотрудники"],
  ["approval", "согласования"],
  ["audit", "журнал"],
];
