// A request that failed says so, and what to do. The words are in _request_error.html, one paragraph a case.
//   <div id="request-error" hidden><p data-error-case="403">…</p> … <span data-error-request></span></div>
const banner = document.getElementById("request-error");

function caseOf(status) {
  const exact = banner.querySelector(`[data-error-case="${status}"]`);
  if (exact) return exact;
  return banner.querySelector(`[data-error-case="${status >= 500 ? "server" : "other"}"]`);
}

function show(paragraph, request) {
  for (const other of banner.querySelectorAll("[data-error-case]")) other.hidden = other !== paragraph;
  banner.querySelector("[data-error-request]").textContent = request;
  banner.hidden = false;
}

const nameOf = ({ requestConfig, pathInfo }) => `${(requestConfig?.verb ?? "get").toUpperCase()} ${pathInfo?.requestPath ?? ""}`;

if (banner) {
  document.addEventListener("htmx:responseError", ({ detail }) => show(caseOf(detail.xhr.status), `${nameOf(detail)} answered ${detail.xhr.status}`));
  document.addEventListener("htmx:sendError", ({ detail }) => show(caseOf("network"), `${nameOf(detail)} got no answer`));
  document.addEventListener("htmx:timeout", ({ detail }) => show(caseOf("network"), `${nameOf(detail)} took too long`));
  document.addEventListener("htmx:afterOnLoad", ({ detail }) => { if (detail.successful) banner.hidden = true; });
  banner.addEventListener("click", (event) => { if (event.target.closest("[data-error-close]")) banner.hidden = true; });
}
