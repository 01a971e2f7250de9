// The entry point of the page.

import "../ui/styles/base.css";
import "../ui/styles/forms.css";
import "../ui/pages.css";
import "../board/element";
import "./shell";
import "./updates";
import { provideFeatures } from "../domain/features";
import { applyTheme } from "../storage/preferences";
import { followLinks } from "./router";
import { registerServiceWorker } from "./updates";

provideFeatures({
  coach: () => import("../coach/coach"),
  sharing: () => import("../share/share"),
});
applyTheme();
followLinks();
void registerServiceWorker();
