import { usePlace } from "../state/place";
import { withOwn } from "../state/view";

/** A choice that is kept in the address under a key of the page's own; the first is the plain one. */
export function Choice({
  label,
  name,
  options,
}: {
  label: string;
  name: string;
  options: readonly (readonly [value: string, text: string])[];
}) {
  const { view, navigate } = usePlace();
  const chosen = view.own[name]?.[0] ?? options[0]?.[0] ?? "";
  return (
    <label class="choice">
      {label}{" "}
      <select
        value={chosen}
        onChange={(event) => {
          const value = event.currentTarget.value;
          navigate(withOwn(view, { [name]: value === options[0]?.[0] ? [] : [value] }));
        }}
      >
        {options.map(([value, text]) => (
          <option key={value} value={value}>
            {text}
          </option>
        ))}
      </select>
    </label>
  );
}

/** What is chosen under a key: one of the options, or the first. */
export function chosen<V extends string>(
  own: Readonly<Record<string, readonly string[]>>,
  name: string,
  options: readonly (readonly [V, string])[],
): V {
  const given = own[name]?.[0];
  return (options.find(([value]) => value === given) ?? options[0]!)[0];
}
