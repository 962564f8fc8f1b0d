-- Templates read and write no files here.
return {
  fileexists = function() return false end,
  readfile = function(name) error('wbfile.readfile: templates read no files here: ' .. tostring(name)) end,
  writefile = function(name) error('wbfile.writefile: templates write no files here: ' .. tostring(name)) end
}
