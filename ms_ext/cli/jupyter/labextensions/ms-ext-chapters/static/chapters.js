// A file called chapter.md is a notebook for JupyterLab: a double click opens it with Jupytext.
//
// JupyterLab's own setting for this (defaultViewers) knows file types only, and would turn every
// README.md into a notebook. So chapters get a file type of their own, told by the file's name.
// The shape around it is what JupyterLab asks of an extension: a container with init and get.
(() => {
  const chapters = {
    id: "ms-ext-chapters:file-type",
    description: "Opens chapter.md as a notebook.",
    autoStart: true,
    activate(app) {
      app.docRegistry.addFileType(
        {
          name: "chapter",
          displayName: "Chapter",
          pattern: "^chapter\\.md$",
          mimeTypes: ["text/markdown"],
        },
        ["Jupytext Notebook"],
      );
    },
  };
  window._JUPYTERLAB = window._JUPYTERLAB || {};
  window._JUPYTERLAB["ms-ext-chapters"] = {
    init() {},
    async get() {
      return () => ({ __esModule: true, default: chapters });
    },
  };
})();
