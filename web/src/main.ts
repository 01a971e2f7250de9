// Where the page begins.

import "./styles/base.css";
import "./styles/forms.css";
import "./pages/pages.css";
import "./board/element";
import "./parts/shell";
import "./local/offline";
import { keepOffline } from "./local/offline";
import { followLinks } from "./router";
import { showTheme } from "./settings";

showTheme();
followLinks();
void keepOffline();
