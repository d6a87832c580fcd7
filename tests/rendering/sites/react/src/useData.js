import { useEffect, useState } from "react";

/** The JSON below api/ of that name; undefined until it is there, null when it is not. */
export default function useData(name) {
  const [data, setData] = useState(undefined);
  useEffect(() => {
    const stop = new AbortController();
    setData(undefined);
    fetch(`${import.meta.env.BASE_URL}api/${name}.json`, { signal: stop.signal })
      .then((answer) => (answer.ok ? answer.json() : null))
      .then(setData)
      .catch((error) => {
        if (error.name !== "AbortError") setData(null);
      });
    return () => stop.abort();
  }, [name]);
  return data;
}
