import { useEffect } from "react";
import { Gate } from "./gate.tsx";
import { SignInWays } from "./sign-in-form.tsx";

export function SignInPage() {
  useEffect(() => {
    document.title = "Вход — Чекан, служебная часть";
  }, []);
  return (
    <Gate title="Служебная часть">
      <SignInWays />
    </Gate>
  );
}
