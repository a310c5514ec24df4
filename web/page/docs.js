// The API's own description, made readable; FastAPI's pages would load scripts from another host.

import { byId, element } from "./dom.js";

function schemaName(content) {
  const schema = content?.["application/json"]?.schema ?? {};
  return schema.$ref ? schema.$ref.split("/").pop() : (schema.title ?? schema.type ?? "");
}

function typeOf(schema) {
  if (schema.$ref) return schema.$ref.split("/").pop();
  if (schema.anyOf) return schema.anyOf.map(typeOf).join(" | ");
  if (schema.type === "array") return `[${typeOf(schema.items ?? {})}]`;
  return schema.type ?? "any";
}

function example(method, path) {
  const address = new URL(path.replace("{game}", "mnk:3,3,3").slice(1), location.href).href;
  if (method === "post") return `curl -d '{"positions": ["XO./.X./..O"]}' ${address}`;
  return `curl '${address}${path.match(/position$|line$/) ? "?position=XO./.X./..O" : ""}'`;
}

function article(path, method, operation) {
  const parameters = (operation.parameters ?? []).map((parameter) =>
    element("li", {}, element("code", {}, parameter.name), ` (${parameter.in}): ${parameter.description ?? ""}`),
  );
  const answers = Object.entries(operation.responses).map(([status, response]) =>
    element("li", {}, element("code", {}, status), ` ${schemaName(response.content)}`),
  );
  return element(
    "article",
    {},
    element("h2", {}, element("code", {}, `${method.toUpperCase()} ${path}`)),
    element("p", {}, operation.description ?? ""),
    element("ul", {}, ...parameters),
    element("p", {}, "Answers:"),
    element("ul", {}, ...answers),
    element("pre", {}, example(method, path)),
  );
}

function shape(name, schema) {
  const fields = Object.entries(schema.properties ?? {}).map(([field, type]) => `  ${field}: ${typeOf(type)}`);
  return element("article", {}, element("h2", {}, element("code", {}, name)), element("pre", {}, fields.join("\n")));
}

async function describe() {
  const api = await (await fetch("openapi.json")).json();
  const operations = Object.entries(api.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => article(path, method, operation)),
  );
  const shapes = Object.entries(api.components.schemas).map(([name, schema]) => shape(name, schema));
  byId("operations").append(element("p", {}, api.info.description), ...operations, ...shapes);
}

describe();
