import { type RefObject, useLayoutEffect, useRef, useState } from 'react';

/** The width of an element, known before it is first painted, so that no column appears and vanishes. */
export function useWidth<Target extends HTMLElement>(): [RefObject<Target | null>, number] {
  const target = useRef<Target>(null);
  const [width, setWidth] = useState(0);
  useLayoutEffect(() => {
    const element = target.current;
    if (!element) return;
    setWidth(element.clientWidth);
    const observer = new ResizeObserver(() => setWidth(element.clientWidth));
    observer.observe(element);
    return () => observer.disconnect();
  }, []);
  return [target, width];
}
