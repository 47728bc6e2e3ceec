/** An id, key or path in a monospaced font, so that similar characters stay distinguishable. */
export function Identifier({ children }: { children: string }) {
  return <code className="font-mono text-caption break-all">{children}</code>;
}
