/** Text that the bundler puts into the command. */
declare module '*.template' {
  const text: string;
  export default text;
}
