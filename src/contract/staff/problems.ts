import { problems, type ProblemCode } from "../problems.ts";

/** Refusals of the back office only. They are not part of the public API. */
export const staffProblems = {
  "staff.sign_in_required": { status: 401, message: "Сеанс закончился. Войдите ещё раз: введённое сохранится" },
  "staff.verify_again": { status: 403, message: "Подтвердите вход ещё раз" },
  "staff.forbidden": { status: 403, message: "Вашей роли это действие недоступно" },
  "staff.stale": { status: 409, message: "Запись тем временем изменили" },
  "staff.key_reused": { status: 409, message: "Этот запрос уже отправляли с другими данными" },
  "staff.not_found": { status: 404, message: "Не найдено" },
} as const satisfies Record<`staff.${string}`, { status: number; message: string }>;

export type StaffCode = ProblemCode | keyof typeof staffProblems;

/** Status and message of a refusal. */
export const staffProblem = (code: StaffCode): { status: number; message: string } =>
  code in staffProblems ? staffProblems[code as keyof typeof staffProblems] : problems[code as ProblemCode];
