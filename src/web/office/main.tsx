import { StrictMode } from "react";
import { createRoot } from "react-dom/client";
import { App } from "./app.tsx";
import "./styles/tokens.css";
import "./styles/base.css";
import "./styles/controls/buttons.css";
import "./styles/controls/fields.css";
import "./styles/frame/frame.css";
import "./styles/controls/table.css";
import "./styles/screens/measures.css";
import "./styles/controls/panel.css";
import "./styles/controls/floating.css";
import "./styles/frame/sign-in-frame.css";
import "./styles/controls/palette.css";
import "./styles/frame/narrow.css";
import "./styles/frame/phone-frame.css";
import "./styles/frame/phone.css";

const place = document.querySelector("#app");
if (!place) throw new Error("index.html has no place for the app");
createRoot(place).render(
  <StrictMode>
    <App />
  </StrictMode>,
);
