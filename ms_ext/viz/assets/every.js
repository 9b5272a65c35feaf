for (const root of document.querySelectorAll(".msx-panel:not(.ready)")) start(root);
