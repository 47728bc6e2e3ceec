/** An id, key or path in a monospaced font, so that similar characters stay distinguishable. */
export function Identifier({ children }: { children: string }) {
  return <code className="font-mono text-[0.8125rem] break-all">{children}</code>;
}
