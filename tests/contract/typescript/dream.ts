// Dreams two equal memories through a client made of the OpenAPI document; prints what came of it as JSON.
import createClient from "openapi-fetch";
import type { components, paths } from "./api.js";

const [url, key] = process.argv.slice(2);
const client = createClient<paths, "application/json">({ baseUrl: url!, headers: { "x-api-key": key! } });

/** The answer, or an exception with the service's own words. */
function answered<T>({ data, error }: { data?: T; error?: components["schemas"]["ErrorResponse"] }): T {
  if (data === undefined) throw new Error(error?.error.message ?? "no answer");
  return data;
}

const store = answered(await client.POST("/v1/memory_stores", { body: { name: "typescript" } }));
for (const path of ["/a.md", "/b.md"]) {
  const params = { path: { memory_store_id: store.id } };
  const body = { path, content: "The invoices of March are in the archive.\n" };
  answered(await client.POST("/v1/memory_stores/{memory_store_id}/memories", { params, body }));
}

const inputs = [{ type: "memory_store" as const, memory_store_id: store.id }];
let dream = answered(await client.POST("/v1/dreams", { body: { inputs } }));
const params = { path: { dream_id: dream.id } };
while (dream.status === "pending" || dream.status === "running") {
  await new Promise((resolve) => setTimeout(resolve, 100));
  dream = answered(await client.GET("/v1/dreams/{dream_id}", { params }));
}

const journal = answered(await client.GET("/v1/dreams/{dream_id}/journal", { params }));
const merged = journal.record.entries.filter((entry) => entry.section === "merged");
const involved = merged.flatMap((entry) => [entry.to, ...entry.sources]);
const missing = await client.GET("/v1/dreams/{dream_id}", { params: { path: { dream_id: "drm_none" } } });
console.log(
  JSON.stringify({
    status: dream.status,
    outputs: dream.outputs.length,
    exact_merged: dream.report?.exact_merged,
    merged: involved.sort(),
    markdown: journal.markdown.startsWith("#"),
    missing: missing.error?.error.type,
  }),
);
