import { type RefObject, useEffect, useRef } from "react";

interface TextBoxProps {
  readonly label: string;
  readonly text: string;
  /** True for a text that grows: its end stays visible. */
  readonly showsEnd?: boolean;
}

/** A long text that scrolls, also by keyboard. */
export function TextBox({ label, text, showsEnd = false }: TextBoxProps) {
  const box: RefObject<HTMLElement | null> = useRef(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: each change of the text moves the box to its end
  useEffect(() => {
    if (showsEnd) box.current?.scrollTo({ top: box.current.scrollHeight });
  }, [text, showsEnd]);
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls takes the focus
    <section ref={box} className="log" aria-label={label} tabIndex={0}>
      {text}
    </section>
  );
}
