/** Shows a value as indented JSON. */
export function JsonView({ value, label }: { readonly value: unknown; readonly label: string }) {
  return <TextView text={JSON.stringify(value, undefined, 2)} label={label} />;
}

/** Scrollable text. The arrow keys scroll it too. */
export function TextView({ text, label }: { readonly text: string; readonly label: string }) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrollable region needs the focus for keyboards
    <section className="text" aria-label={label} tabIndex={0}>
      <pre>{text}</pre>
    </section>
  );
}
