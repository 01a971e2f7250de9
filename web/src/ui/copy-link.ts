// Copies a link to the clipboard.

import { t } from "../domain/i18n";
import { toast } from "../domain/messages";

export async function copy(text: string): Promise<void> {
  try {
    await navigator.clipboard.writeText(text);
    toast(t("Link copied."));
  } catch {
    toast(text);
  }
}
