const NAMES: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' };

/** Text as HTML shows it, also within attributes. */
export function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (char) => NAMES[char] as string);
}
