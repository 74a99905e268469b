import { useEffect } from "react";
import { SignInFrame } from "./sign-in-frame.tsx";
import { SignInWays } from "./sign-in-form.tsx";

export function SignInPage() {
  useEffect(() => {
    document.title = "Вход — Чекан, служебная часть";
  }, []);
  return (
    <SignInFrame title="Служебная часть">
      <SignInWays />
    </SignInFrame>
  );
}
