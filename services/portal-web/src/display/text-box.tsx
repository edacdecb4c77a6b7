import { type RefObject, useEffect, useRef } from "react";

interface TextBoxProps {
  readonly label: string;
  readonly text: string;
  /** True if new text is appended at the end. The box then scrolls to the end. */
  readonly showsEnd?: boolean;
}

/** Long text in a box that can be scrolled, also with the keyboard. */
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
