/** `j***@example.com`: enough for a person to recognize, too little to send mail to. */
export function maskEmail(email: string): string {
  const text = email.trim();
  const at = text.lastIndexOf('@');
  const [first = ''] = text.slice(0, Math.max(at, 0));
  return at >= 0 && at < text.length - 1 ? `${first}***${text.slice(at)}` : '***';
}
