// Where the page begins.

import "../ui/styles/base.css";
import "../ui/styles/forms.css";
import "../ui/pages.css";
import "../board/element";
import "./shell";
import "./updates";
import { provideFeatures } from "../domain/features";
import { showTheme } from "../storage/preferences";
import { followLinks } from "./router";
import { keepOffline } from "./updates";

provideFeatures({
  coach: () => import("../coach/coach"),
  sharing: () => import("../share/share"),
});
showTheme();
followLinks();
void keepOffline();
