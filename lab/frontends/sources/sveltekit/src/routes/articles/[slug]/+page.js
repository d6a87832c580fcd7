import data from "../../../../data/site.json";

export const load = ({ params }) => data[params.slug];
