@echo off
rem The door of ms_ext on Windows: the same commands as ./lab, through the py launcher.
where py >nul 2>nul && (py -3 "%~dp0lab.py" %* & goto :done)
python "%~dp0lab.py" %*
:done
exit /b %errorlevel%
