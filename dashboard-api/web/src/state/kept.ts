/** What the browser keeps for this reader; where it keeps nothing, everything still works. */

export function kept(name: string): string | null {
  try {
    return localStorage.getItem(name);
  } catch {
    return null;
  }
}

export function keep(name: string, value: string): void {
  try {
    localStorage.setItem(name, value);
  } catch {
    // Then it holds until the page is left.
  }
}
