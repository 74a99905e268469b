import { StrictMode } from "react";
import { createRoot } from "react-dom/client";
import { App } from "./app.tsx";
import "./styles/tokens.css";
import "./styles/base.css";
import "./styles/buttons.css";
import "./styles/fields.css";
import "./styles/frame.css";
import "./styles/table.css";
import "./styles/measures.css";
import "./styles/panel.css";
import "./styles/floating.css";
import "./styles/sign-in-frame.css";
import "./styles/palette.css";
import "./styles/narrow.css";
import "./styles/phone-frame.css";
import "./styles/phone.css";

const place = document.querySelector("#app");
if (!place) throw new Error("index.html has no place for the app");
createRoot(place).render(
  <StrictMode>
    <App />
  </StrictMode>,
);
