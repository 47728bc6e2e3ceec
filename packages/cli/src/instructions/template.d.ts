/** Text that the bundler inlines into the command. */
declare module '*.template' {
  const text: string;
  export default text;
}
