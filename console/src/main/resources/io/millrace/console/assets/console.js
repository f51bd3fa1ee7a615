// Charts of the last hour, which grow as the server tells; and no page is replaced under a reader's eyes.
"use strict";
(() => {
  document.addEventListener("htmx:beforeRequest", (event) => {
    if (document.querySelector("main details[open]")) {
      event.preventDefault();
    }
  });
  // A part that cannot be fetched again stays as it was, so that it must be said why.
  const trouble = (sentence) => {
    let line = document.getElementById("trouble");
    if (!line) {
      line = document.createElement("p");
      line.id = "trouble";
      line.className = "alarm";
      line.setAttribute("role", "alert");
      document.querySelector("main h1").after(line);
    }
    line.textContent = sentence;
    line.hidden = sentence === "";
  };
  document.addEventListener("htmx:afterRequest", (event) => {
    if (event.detail.successful) {
      trouble("");
    } else {
      const page = new DOMParser().parseFromString(event.detail.xhr.responseText, "text/html");
      const said = page.querySelector("main [role=alert]");
      trouble("This is no longer up to date: " + (said ? said.textContent : "the console does not answer."));
    }
  });
  const charts = document.getElementById("charts");
  if (!charts || typeof Chart === "undefined") {
    return;
  }
  const POINTS_MAX = 720;
  const css = getComputedStyle(document.documentElement);
  const colour = (name) => css.getPropertyValue(name).trim();
  const palette = [colour("--strong"), colour("--good"), "#c77700", colour("--bad")];
  Chart.defaults.color = colour("--faint");
  Chart.defaults.borderColor = colour("--line");
  Chart.defaults.animation = false;
  const line = (id, series) =>
    new Chart(document.getElementById(id), {
      type: "line",
      data: {
        labels: [],
        datasets: series.map(([label], i) => ({
          label, data: [], borderColor: palette[i], backgroundColor: palette[i], borderWidth: 1.5, pointRadius: 0,
        })),
      },
      options: {
        maintainAspectRatio: false,
        interaction: { mode: "index", intersect: false },
        scales: { x: { ticks: { maxTicksLimit: 6, maxRotation: 0 } }, y: { beginAtZero: true } },
        plugins: { legend: { labels: { boxWidth: 10 } } },
      },
    });
  const kinds = {
    rates: [["enqueued", (p) => p.enqueued], ["completed", (p) => p.completed], ["failed", (p) => p.failed], ["died", (p) => p.died]],
    depths: [["ready", (p) => p.ready], ["running", (p) => p.leased]],
    waits: [["p50", (p) => p.waitP50Us / 1000], ["p99", (p) => p.waitP99Us / 1000]],
    runs: [["p50", (p) => p.runP50Us / 1000], ["p99", (p) => p.runP99Us / 1000]],
  };
  const drawn = Object.entries(kinds).filter(([id]) => document.getElementById(id)).map(([id, series]) => [line(id, series), series]);
  const add = (point) => {
    for (const [chart, series] of drawn) {
      chart.data.labels.push(new Date(point.at).toLocaleTimeString());
      series.forEach(([, value], i) => chart.data.datasets[i].data.push(value(point)));
      if (chart.data.labels.length > POINTS_MAX) {
        chart.data.labels.shift();
        chart.data.datasets.forEach((set) => set.data.shift());
      }
    }
  };
  const redraw = () => drawn.forEach(([chart]) => chart.update());
  const seconds = (ms) => (ms < 10000 ? (ms / 1000).toFixed(2) + " s" : Math.round(ms / 1000) + " s");
  const show = (point) => {
    for (const cell of document.querySelectorAll("[data-live]")) {
      const value = point[cell.dataset.live];
      if (value !== undefined) {
        (cell.querySelector("a") || cell).textContent =
          cell.dataset.live === "oldestReadyMs" ? seconds(value) : value.toLocaleString("en");
      }
    }
  };
  fetch(charts.dataset.history, { headers: { accept: "application/json" } })
    .then((answer) => answer.json())
    .then((history) => {
      history.points.forEach(add);
      redraw();
      const events = new EventSource(charts.dataset.liveEvents);
      events.addEventListener("trouble", (event) => trouble("This is no longer up to date: " + JSON.parse(event.data).error));
      events.addEventListener("point", (event) => {
        trouble("");
        const point = JSON.parse(event.data);
        add(point);
        redraw();
        show(point);
        document.getElementById("figures").dataset.at = point.at;
      });
    });
})();
