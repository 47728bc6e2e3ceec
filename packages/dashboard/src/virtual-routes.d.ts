declare module 'virtual:routes' {
  export const routes: Record<string, { method: string; path: string }>;
}
